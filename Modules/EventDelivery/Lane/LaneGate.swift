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
        /// Acknowledgements that close an open breaker.
        package static let breakerAcknowledgements = 2
        /// Retries that may follow each other before the budget slows them down.
        package static let retryReserve: Double = 7
        /// What an acknowledgement adds to the reserve: one retry for ten batches.
        package static let retryShare: Double = 0.1
        /// How long it takes until the reserve grows by one retry, whatever is acknowledged.
        package static let retryInterval: Duration = .seconds(60)
        /// The same while nothing gets through: with the reserve at most 20 requests in the first hour.
        package static let retryIntervalWhileDown: Duration = .seconds(300)
    }

    private struct SkippedPause: Equatable {
        let cause: PauseReason
        let failures: Int
    }

    /// Why the lane waits; `nil` when it may send.
    package private(set) var reason: Reason?
    /// When the lane may send again.
    package private(set) var notBefore = MonotonicInstant(nanoseconds: .min)
    /// Passing faults or probes in a row.
    package private(set) var failures = 0
    /// The end of the wait that the receiver asked for, where it asked for one.
    private var askedUntil: MonotonicInstant?
    /// The outcomes of the last attempts, the newest in the lowest bit; a set bit is a failure.
    private var window: UInt32 = 0
    private var attempts = 0
    /// Acknowledgements that must come before an open breaker counts as closed.
    private var acknowledgementsToClose = 0
    /// Retries that may still be made; below zero when the next one waits for its turn.
    private var retryTokens = Limits.retryReserve
    private var tokensFrom: MonotonicInstant?
    private var lastFlush: MonotonicInstant?
    /// The pause that a flush has cut short, with its probes, until the next outcome.
    private var skipped: SkippedPause?
    /// When the present or last pause began.
    private var pauseStart: Timestamp?
    /// Whether an earlier run has paused the lane, and this one has no answer yet.
    package private(set) var isPausedByEarlierRun = false

    package init() {}

    /// Takes up a wait of an earlier run; where the breaker was open, it still is.
    init(reason: Reason?, until: MonotonicInstant, failures: Int, pausedSince: Timestamp? = nil) {
        self.reason = reason
        self.failures = failures
        if reason != nil { notBefore = until }
        if case .paused = reason {
            (pauseStart, isPausedByEarlierRun) = (pausedSince, true)
            return
        }
        if failures >= Limits.breakerFailures { acknowledgementsToClose = Limits.breakerAcknowledgements }
    }

    /// Whether the receiver's own wait ends after a moment.
    func asksForWait(after now: MonotonicInstant) -> Bool { askedUntil.map { $0 > now } ?? false }

    /// Whether the lane may send now.
    package func isOpen(at now: MonotonicInstant) -> Bool { reason == nil || now >= notBefore }

    /// When the pause began; `nil` if the lane is not paused, or if an earlier version has not stored it.
    package var pausedSince: Timestamp? {
        if case .paused = reason { pauseStart } else { nil }
    }

    /// Whether the breaker is open or half open.
    package var isBreakerOpen: Bool { acknowledgementsToClose > 0 }

    /// Notes an acknowledged batch.
    package mutating func succeeded() {
        skipped = nil
        record(failure: false)
        retryTokens = min(Limits.retryReserve, retryTokens + Limits.retryShare)
        reason = nil
        askedUntil = nil
        if isBreakerOpen { acknowledgementsToClose -= 1 }
        if !isBreakerOpen { failures = 0 }
    }

    /// Notes an answer that is neither an acknowledgement nor a fault of the connection, such as a split.
    package mutating func answered() {
        skipped = nil
        if case .paused = reason { failures = 0 }
        reason = nil
        askedUntil = nil
    }

    /// Notes a passing fault; `retryAfter` is the receiver's own wait.
    package mutating func failed(
        at now: MonotonicInstant,
        retryAfter: Duration?,
        using random: inout some RandomNumberGenerator
    ) {
        skipped = nil
        if case .paused = reason { failures = 0 }
        record(failure: true)
        failures += 1
        if shouldBreak, !isBreakerOpen { acknowledgementsToClose = Limits.breakerAcknowledgements }
        let cap = min(Limits.longestBackoff, Limits.firstBackoff * (1 << min(failures - 1, 12)))
        let backoff = max(Limits.shortestBackoff, LaneGate.random(upTo: cap, using: &random))
        reason = .backoff
        notBefore = now.advanced(by: max(backoff, waitForToken(at: now, using: &random)))
        askedUntil = retryAfter.map { wait in
            let asked = min(max(.zero, wait), RetryAfter.maximum)
            return now.advanced(by: asked + LaneGate.random(upTo: asked / 10, using: &random))
        }
        if let askedUntil, askedUntil >= notBefore { waitAsAsked(until: askedUntil) }
    }

    /// Notes the wait that a receiver asks for in an answer to a request of before the last fault; no more.
    package mutating func ask(
        for retryAfter: Duration?,
        at now: MonotonicInstant,
        using random: inout some RandomNumberGenerator
    ) {
        guard let retryAfter, reason == .backoff || reason == .retryAfter else { return }
        let asked = min(max(.zero, retryAfter), RetryAfter.maximum)
        let until = now.advanced(by: asked + LaneGate.random(upTo: asked / 10, using: &random))
        askedUntil = max(askedUntil ?? until, until)
        if until >= notBefore { waitAsAsked(until: until) }
    }

    /// Notes that sending is useless for now; `wall` is the same moment on the wall clock.
    package mutating func paused(
        _ cause: PauseReason,
        at now: MonotonicInstant,
        wall: Timestamp,
        using random: inout some RandomNumberGenerator
    ) {
        if let skipped { (reason, failures, self.skipped) = (.paused(skipped.cause), skipped.failures, nil) }
        let isSame = reason == .paused(cause)
        failures = isSame ? failures + 1 : 1
        if !isSame { pauseStart = wall }
        isPausedByEarlierRun = false
        reason = .paused(cause)
        askedUntil = nil
        let first = cause == .trust ? Limits.firstTrustProbe : Limits.firstProbe
        let wait = min(Limits.longestProbe, first * (1 << min(failures - 1, 8)))
        notBefore = now.advanced(by: wait + LaneGate.random(upTo: wait / 10, using: &random))
    }

    /// Opens a gate that waits for back-off, or whose pause may have ended with another network, at most once in 30 s;
    /// a `Retry-After` or another pause stays.
    package mutating func skipBackoff(at now: MonotonicInstant) {
        guard !isOpen(at: now), reason == .backoff || isNetworkPause else { return }
        if let lastFlush, lastFlush.duration(to: now) < Limits.flushInterval { return }
        lastFlush = now
        if case .paused(let cause) = reason {
            skipped = SkippedPause(cause: cause, failures: failures)
            (reason, failures) = (nil, 0)
            return
        }
        if let askedUntil, askedUntil > now { waitAsAsked(until: askedUntil) } else { reason = nil }
    }

    /// Opens a paused gate because the host says that the cause is mended.
    package mutating func resume() {
        if case .paused = reason {
            reason = nil
            failures = 0
        }
    }

    /// Whether the lane is paused for what depends on the network that the device is in.
    private var isNetworkPause: Bool { reason == .paused(.trust) || reason == .paused(.intercepted) }

    private mutating func waitAsAsked(until instant: MonotonicInstant) {
        reason = .retryAfter
        notBefore = instant
    }

    private mutating func record(failure: Bool) {
        window = window << 1 | (failure ? 1 : 0)
        attempts = min(attempts + 1, Limits.breakerWindow)
    }

    private var shouldBreak: Bool {
        if failures >= Limits.breakerFailures { return true }
        guard attempts >= Limits.breakerWindow else { return false }
        return (window & ((1 << UInt32(Limits.breakerWindow)) - 1)).nonzeroBitCount * 2 >= Limits.breakerWindow
    }

    /// Takes a retry from the budget, and answers how long it has to wait for its turn.
    ///
    /// The turn is spread over as long again, so that lanes that ran out together do not come back together; what is
    /// waited too long is earned meanwhile.
    private mutating func waitForToken(
        at now: MonotonicInstant,
        using random: inout some RandomNumberGenerator
    ) -> Duration {
        let interval =
            failures >= Limits.breakerFailures ? Limits.retryIntervalWhileDown : Limits.retryInterval
        if let tokensFrom {
            let earned = Double(tokensFrom.duration(to: now).nanoseconds) / Double(interval.nanoseconds)
            retryTokens = min(Limits.retryReserve, retryTokens + max(0, earned))
        }
        tokensFrom = now
        // A flush that skips a wait does not run up a debt.
        retryTokens = max(-1, retryTokens - 1)
        guard retryTokens < 0 else { return .zero }
        let wait: Duration = .nanoseconds(Int64(-retryTokens * Double(interval.nanoseconds)))
        return wait + LaneGate.random(upTo: wait, using: &random)
    }

    private static func random(upTo limit: Duration, using random: inout some RandomNumberGenerator) -> Duration {
        let nanoseconds = limit.nanoseconds
        return nanoseconds <= 0 ? .zero : .nanoseconds(Int64.random(in: 0...nanoseconds, using: &random))
    }
}

extension LaneGate {
    /// The gate as it is stored: what is left of its wait, and when that was so.
    package func stored(at now: StoredMoment) -> StoredGate {
        guard let reason else { return StoredGate(failures: failures) }
        let name =
            switch reason {
            // The stored form has one wait only; what the receiver asked for is the one that must be kept.
            case .backoff: asksForWait(after: now.monotonic) ? "retry_after" : "backoff"
            case .retryAfter: "retry_after"
            case .paused(let cause): "paused:" + cause.rawValue
            }
        var stored = StoredGate(
            remaining: max(.zero, now.monotonic.duration(to: notBefore)),
            reason: name,
            failures: failures,
            noted: now.monotonic,
            boot: now.boot
        )
        stored.pausedSince = pausedSince
        return stored
    }

    /// Takes up a stored gate, so that a restart is no way around its wait.
    ///
    /// Within the same start of the machine the time since counts. After another one nobody knows how long the machine
    /// was off, and the wait goes on where it was noted.
    package init(_ stored: StoredGate, at now: StoredMoment) {
        var remaining = max(.zero, min(stored.remaining, RetryAfter.maximum * 2))
        if stored.boot == now.boot { remaining -= max(.zero, stored.noted.duration(to: now.monotonic)) }
        let until = now.monotonic.advanced(by: max(.zero, remaining))
        let reason: Reason? =
            switch stored.reason {
            case "backoff": .backoff
            case "retry_after": .retryAfter
            default:
                stored.reason.hasPrefix("paused:")
                    ? PauseReason(rawValue: String(stored.reason.dropFirst(7))).map { .paused($0) } : nil
            }
        self.init(reason: reason, until: until, failures: max(0, stored.failures), pausedSince: stored.pausedSince)
    }
}
