import MultiTracker
import Testing

@Suite struct TrackerConfigErrorTests {
    @Test(arguments: [
        (TrackerConfigError.tooManyNames(count: 300, limit: 256), "too_many_names"),
        (.emptyName(index: 0), "empty_name"), (.nameTooLong(index: 1, limit: 64), "name_too_long"),
        (.invalidCharacter(index: 2), "invalid_character"),
    ])
    func `each error is counted under a different name`(error: TrackerConfigError, rule: String) {
        #expect(error.rule == rule)
    }
}
