import Locks
import Testing

@testable import AppTracking

@Suite(.timeLimit(.minutes(5))) struct ExpiringWorkTests {
    @Test func `the end of completed work is reported once, even if its time expires later`() async {
        let (ends, ending) = AsyncStream.makeStream(of: Void.self)
        let count = Mutex(0)
        let expiring = ExpiringWork()

        expiring.start({}) {
            count.withLock { $0 += 1 }
            ending.yield()
        }
        for await _ in ends.prefix(1) {}
        expiring.expire()

        #expect(count.withLock { $0 } == 1)
    }

    @Test func `expired work is cancelled, and its end is reported before the call returns`() async {
        let (cancellations, cancelled) = AsyncStream.makeStream(of: Void.self)
        let count = Mutex(0)
        let expiring = ExpiringWork()
        expiring.start {
            let (never, _) = AsyncStream.makeStream(of: Never.self)
            for await _ in never {}
            cancelled.yield()
        } atEnd: {
            count.withLock { $0 += 1 }
        }

        expiring.expire()
        let countAtReturn = count.withLock { $0 }
        for await _ in cancellations.prefix(1) {}
        expiring.expire()

        #expect(countAtReturn == 1)
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `work that expires before its start is not started, and its end is reported`() {
        let count = Mutex(0)
        let expiring = ExpiringWork()
        expiring.expire()

        expiring.start {
            Issue.record("it was started")
        } atEnd: {
            count.withLock { $0 += 1 }
        }

        #expect(count.withLock { $0 } == 1)
    }
}
