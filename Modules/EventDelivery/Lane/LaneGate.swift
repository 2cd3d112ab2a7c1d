/// When a lane may send next: back-off with full jitter, `Retry-After`, circuit breaker, retry budget and pauses.
///
/// A value without a clock of its own: every step is told the time and the randomness, so that a table can test it.
/// All waits are on the monotonic clock.
package struct LaneGate: Sendable, Equatable {
    /// Why a lane waits.
    package enum Reason: Sendable, Hashable {
        /// A passing fault; the wait grows with the failures in a row.
        case backoff
        /// The receiver asked for the wait; nothing shortens it.
        case retryAfter
        /// Sending is useless; the lane probes now and then.
        case paused(PauseReason)
    }

    /// The limits of the waits.
    package enum Limits {
        package static let firstBackoff: Duration = .seconds(1)
        package static let longestBackoff: Duration = .seconds(300)
        package static let shortestBackoff: Duration = .milliseconds(100)
        package static let firstProbe: Duration = .seconds(300)
        package static let longestProbe: Duration = .seconds(3600)
        package static let firstTrustProbe: Duration = .seconds(900)
        package static let flushInterval: Duration = .seconds(30)
        package static let breakerWindow = 20
        package static let breakerFailures = 5
    }

    /// Why the lane waits; `nil` when it may send.
    package private(set) var reason: Reason?
    /// When the lane may send again.
    package private(set) var notBefore = MonotonicInstant(nanoseconds: .min)
    /// Passing faults or probes in a row.
    package private(set) var failures = 0
    /// The outcomes of the last attempts, the newest in the lowest bit; a set bit is a failure.
    private var window: UInt32 = 0
    private var attempts = 0
    /// Attempts in a row that must succeed before an open breaker counts as closed.
    private var acknowledgementsToClose = 0
    /// Retries that may still be made: one for each ten successes, and one a minute.
    private var retryTokens: Double = 3
    private var tokensFrom: MonotonicInstant?
    private var lastFlush: MonotonicInstant?

    package init() {}

    /// Whether the lane may send now.
    package func isOpen(at now: MonotonicInstant) -> Bool { reason == nil || now >= notBefore }

    /// Whether the breaker is open or half open.
    package var isBreakerOpen: Bool { acknowledgementsToClose > 0 }

    /// Notes an acknowledged batch.
    package mutating func succeeded(at now: MonotonicInstant) {
        record(failure: false)
        retryTokens = min(3, retryTokens + 0.1)
        reason = nil
        if acknowledgementsToClose > 0 { acknowledgementsToClose -= 1 }
        if acknowledgementsToClose == 0 { failures = 0 }
    }

    /// Notes an answer that is neither an acknowledgement nor a fault of the connection, such as a split.
    package mutating func answered() {
        if case .paused = reason { failures = 0 }
        reason = nil
    }

    /// Notes a passing fault; `retryAfter` is the receiver's own wait.
    package mutating func failed(
        at now: MonotonicInstant,
        retryAfter: Duration?,
        using random: inout some RandomNumberGenerator
    ) {
        record(failure: true)
        failures += 1
        if shouldBreak { acknowledgementsToClose = 2 }
        let exponent = min(failures, 12)
        let cap = min(Limits.longestBackoff, Limits.firstBackoff * (1 << exponent))
        var wait = max(Limits.shortestBackoff, LaneGate.random(upTo: cap, using: &random))
        reason = .backoff
        if let retryAfter {
            let asked = retryAfter + LaneGate.random(upTo: retryAfter / 10, using: &random)
            if asked >= wait { reason = .retryAfter }
            wait = max(wait, asked)
        }
        notBefore = now.advanced(by: max(wait, waitForToken(at: now)))
    }

    /// Notes that sending is useless for now.
    package mutating func paused(
        _ cause: PauseReason,
        at now: MonotonicInstant,
        using random: inout some RandomNumberGenerator
    ) {
        failures = reason == .paused(cause) ? failures + 1 : 1
        reason = .paused(cause)
        let first = cause == .trust ? Limits.firstTrustProbe : Limits.firstProbe
        let wait = min(Limits.longestProbe, first * (1 << min(failures - 1, 8)))
        notBefore = now.advanced(by: wait + LaneGate.random(upTo: wait / 10, using: &random))
    }

    /// Opens a gate that waits for back-off, at most once in 30 s; a `Retry-After` or a pause stays.
    package mutating func skipBackoff(at now: MonotonicInstant) {
        guard reason == .backoff else { return }
        if let lastFlush, lastFlush.duration(to: now) < Limits.flushInterval { return }
        lastFlush = now
        reason = nil
    }

    /// Opens a paused gate because the host says that the cause is mended.
    package mutating func resume() {
        if case .paused = reason {
            reason = nil
            failures = 0
        }
    }

    private mutating func record(failure: Bool) {
        window = window << 1 | (failure ? 1 : 0)
        attempts += 1
    }

    private var shouldBreak: Bool {
        if failures >= Limits.breakerFailures { return true }
        guard attempts >= Limits.breakerWindow else { return false }
        return (window & ((1 << UInt32(Limits.breakerWindow)) - 1)).nonzeroBitCount * 2 >= Limits.breakerWindow
    }

    /// Takes a retry from the budget, and answers how long the next one has to wait for it.
    private mutating func waitForToken(at now: MonotonicInstant) -> Duration {
        if let tokensFrom {
            retryTokens = min(3, retryTokens + Double(tokensFrom.duration(to: now).nanoseconds) / 60e9)
        }
        tokensFrom = now
        retryTokens -= 1
        return retryTokens >= 0 ? .zero : .nanoseconds(Int64(min(-retryTokens, 5) * 60e9))
    }

    private static func random(upTo limit: Duration, using random: inout some RandomNumberGenerator) -> Duration {
        let nanoseconds = limit.nanoseconds
        return nanoseconds <= 0 ? .zero : .nanoseconds(Int64.random(in: 0...nanoseconds, using: &random))
    }
}

extension LaneGate {
    /// The gate as it is stored, with what is left of its wait.
    package func stored(at now: MonotonicInstant) -> StoredGate {
        guard let reason else { return StoredGate(failures: failures) }
        let name =
            switch reason {
            case .backoff: "backoff"
            case .retryAfter: "retry_after"
            case .paused(let cause): "paused:" + cause.rawValue
            }
        return StoredGate(remaining: max(.zero, now.duration(to: notBefore)), reason: name, failures: failures)
    }

    /// Takes up a stored gate: what was left of the wait starts now, so that a restart is no way around it.
    package init(_ stored: StoredGate, at now: MonotonicInstant) {
        self.init()
        failures = max(0, stored.failures)
        let remaining = max(.zero, min(stored.remaining, RetryAfter.maximum * 2))
        switch stored.reason {
        case "backoff": reason = .backoff
        case "retry_after": reason = .retryAfter
        default:
            guard stored.reason.hasPrefix("paused:") else { return }
            reason = PauseReason(rawValue: String(stored.reason.dropFirst(7))).map { .paused($0) }
        }
        notBefore = now.advanced(by: remaining)
    }
}
