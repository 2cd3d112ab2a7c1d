import EventBuffer
import EventOutbox

/// A budget of retries, which grows with time and with acknowledgements.
struct RetryBudget: Equatable {
    private typealias Limits = RetryState.Limits

    /// The number of retries that are left.
    ///
    /// It is negative if the next retry must wait.
    private var retries = Limits.retryReserve
    /// The time up to which the budget has grown.
    private var grownUntil: MonotonicInstant?

    /// Adds a part of a retry, up to the reserve.
    mutating func add(_ part: Double) { retries = min(Limits.retryReserve, retries + part) }

    /// Takes a retry from the budget.
    ///
    /// The wait is extended by up to the same time at random, to spread lanes that ran out of retries together. The
    /// budget grows during the extra time.
    ///
    /// - Parameters:
    ///   - now: The time of the failure.
    ///   - interval: The time in which the budget grows by one retry.
    ///   - random: The randomness for the extension.
    /// - Returns: The wait before the retry may be sent.
    mutating func take(
        at now: MonotonicInstant,
        growingIn interval: Duration,
        using random: inout some RandomNumberGenerator
    ) -> Duration {
        if let grownUntil {
            add(max(0, Double(grownUntil.duration(to: now).nanoseconds) / Double(interval.nanoseconds)))
        }
        grownUntil = now
        // A flush that skips a wait must not accumulate debt.
        retries = max(-1, retries - 1)
        guard retries < 0 else { return .zero }
        let wait: Duration = .nanoseconds(Int64(-retries * Double(interval.nanoseconds)))
        return wait + Duration.random(upTo: wait, using: &random)
    }
}
