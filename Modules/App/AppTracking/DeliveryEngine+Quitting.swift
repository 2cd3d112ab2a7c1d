import Dispatch
public import EventTracking

extension DeliveryEngine {
    /// Stores all events tracked before the call, and blocks the calling thread until they are stored.
    ///
    /// It is for code that cannot wait otherwise, such as `applicationWillTerminate(_:)` or a handler of `atexit`.
    /// Everywhere else, use `storeBuffered()`, whose rules it has. Undelivered events are sent at the next start.
    ///
    /// - Parameter limit: The maximum time for which the thread is blocked.
    /// - Returns: Whether the call ended before the limit. Otherwise the events may still be stored later.
    @available(*, noasync, message: "use storeBuffered()")
    @discardableResult
    public func storeBuffered(blockingFor limit: Duration) -> Bool {
        let hasEnded = DispatchSemaphore(value: 0)
        Task.detached(priority: .userInitiated) {
            await self.storeBuffered()
            hasEnded.signal()
        }
        // The bound keeps the sum in the range of Dispatch's times, and the milliseconds in that of a 32-bit `Int`.
        let milliseconds = min(max(.zero, limit), .seconds(86_400)) / .milliseconds(1)
        return hasEnded.wait(timeout: .now() + .milliseconds(Int(milliseconds.rounded(.up)))) == .success
    }
}
