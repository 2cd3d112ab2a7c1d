import EventTracking
import Testing

@testable import EventDelivery

@Suite struct StorageBackoffTests {
    @Test func `only reads at their due time count as failures, and a success starts the count again`() {
        var backoff = StorageBackoff()
        var now = MonotonicInstant(nanoseconds: 0)
        for failures in 1...3 {
            let due = backoff.failedToRead(at: now)
            // Calls of the app in between are no evidence of a lasting fault.
            for _ in 1...9 { #expect(backoff.failedToRead(at: now.advanced(by: .milliseconds(10))) == due) }
            #expect(backoff.readFailures == failures)
            #expect(now.duration(to: due) == .seconds(1 << failures))
            now = due
        }
        #expect(!backoff.treatsUnreadableAsDamaged)
        _ = backoff.failedToRead(at: now)
        #expect(backoff.treatsUnreadableAsDamaged)

        backoff.succeededToRead()
        _ = backoff.failedToRead(at: now)

        #expect(backoff.readFailures == 1)
    }
}
