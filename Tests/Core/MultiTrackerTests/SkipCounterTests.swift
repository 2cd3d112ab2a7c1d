import Testing

@testable import MultiTracker

@Suite struct SkipCounterTests {
    @Test func `skipped calls are counted by reason, except for trackers that are not addressed`() {
        let counter = SkipCounter()

        counter.add(.disabled)
        counter.add(.disabled, count: 2)
        counter.add(.noConsent)
        counter.add(.noCapability, count: 0)
        counter.add(.notAddressed, count: 5)

        #expect(counter.counts == [.disabled: 3, .noConsent: 1])
    }

    @Test func `no count of many threads is lost`() async {
        let counter = Holder()

        await withTaskGroup { group in
            for _ in 1...8 { group.addTask { for _ in 1...500 { counter.value.add(.notRegistered) } } }
        }

        #expect(counter.value.counts == [.notRegistered: 4_000])
    }

    private final class Holder: Sendable {
        let value = SkipCounter()
    }
}
