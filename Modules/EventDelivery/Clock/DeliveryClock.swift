/// The time that the delivery engine lives in: the wall clock for stamps, a monotonic clock for waiting.
///
/// Contract: `monotonicTime` never goes back, whatever happens to the wall clock; `sleep` returns at or after its
/// instant, and throws `CancellationError` soon after its task is cancelled. Checked by `ClockContract` in
/// `EventDeliveryTesting`.
public protocol DeliveryClock: Sendable {
    /// The wall clock's time; it may jump in both directions.
    func wallTime() -> Timestamp
    /// The time of the monotonic clock.
    func monotonicTime() -> MonotonicInstant
    /// Waits until an instant of the monotonic clock.
    func sleep(until instant: MonotonicInstant) async throws
    /// An identifier that changes when the machine starts anew, so that stored waits are not measured across a start.
    ///
    /// It is never empty: where the system names no start, it is one of this process alone.
    var bootID: String { get }
}
