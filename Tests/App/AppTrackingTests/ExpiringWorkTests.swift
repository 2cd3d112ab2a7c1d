import Locks
import Testing

@testable import AppTracking

@Suite(.timeLimit(.minutes(5))) final class ExpiringWorkTests: Sendable {
    private let expiring = ExpiringWork()
    private let steps = Mutex<[String]>([])

    @Test func `the end of completed work is reported once, even if its time expires later`() async {
        await run { self.note("work") }
        expiring.expire()

        #expect(steps.withLock { $0 } == ["work", "end"])
    }

    @Test func `expired work is cancelled, and its end is reported when it has ended`() async {
        await run {
            let (never, _) = AsyncStream.makeStream(of: Never.self)
            self.expiring.expire()
            for await _ in never {}
            self.note("work cancelled: \(Task.isCancelled)")
        }

        #expect(steps.withLock { $0 } == ["work cancelled: true", "end"])
    }

    @Test func `work without time is cancelled from its start, and its end is reported`() async {
        expiring.expire()

        await run { self.note("work cancelled: \(Task.isCancelled)") }

        #expect(steps.withLock { $0 } == ["work cancelled: true", "end"])
    }

    @Test func `work that starts twice runs once, and each end is reported`() async {
        await run { self.note("work") }
        await run { self.note("work again") }

        #expect(steps.withLock { $0 } == ["work", "end", "end"])
    }

    /// Starts the work, and waits for the report of its end.
    private func run(_ work: @escaping @Sendable () async -> Void) async {
        await withCheckedContinuation { continuation in
            expiring.start(work) {
                self.note("end")
                continuation.resume()
            }
        }
    }

    private func note(_ step: String) {
        steps.withLock { $0.append(step) }
    }
}
