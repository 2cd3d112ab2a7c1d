import Testing

@testable import AppTracking

@Suite struct NetworkUsabilityTests {
    @Test(arguments: [
        ([true, true], [false, false]),
        ([false, true, true], [false, true, false]),
        ([true, false, false, true], [false, false, false, true]),
    ])
    func `each return of the network is reported once`(states: [Bool], returns: [Bool]) {
        var usability = NetworkUsability()

        let told = states.map { usability.update(isUsable: $0) }

        #expect(told == returns)
    }
}
