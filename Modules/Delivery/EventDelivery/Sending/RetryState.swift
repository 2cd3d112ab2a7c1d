package import EventOutbox
package import EventTracking

/// The retry state of a lane: back-off with jitter, `Retry-After` and pauses.
///
/// It has no clock. Each function receives the time and the randomness, which makes it testable with tables. All waits
/// are measured by the monotonic clock.
package struct RetryState: Sendable, Equatable {
    /// The reason for a lane's wait.
    package enum Reason: Sendable, Equatable {
        /// A temporary fault. The wait grows with each consecutive failure.
        case backoff
        /// The receiver asked for the wait. Nothing shortens it.
        case retryAfter
        /// Further requests would fail too. The lane only probes.
        case paused(PauseReason)
    }

    /// The limits of waits.
    ///
    /// A receiver with one fault gets at most 20 requests of a lane in the first hour.
    package enum Limits {
        package static let firstBackoff: Duration = .seconds(1)
        package static let longestBackoff: Duration = .seconds(600)
        package static let flushInterval: Duration = .seconds(30)

        /// The first wait of a pause, without the jitter of up to a tenth.
        ///
        /// It is short, because a gateway or proxy in between can cause any pause for a moment.
        package static let firstProbe: Duration = .seconds(9)

        /// Returns the longest wait of a pause, without the jitter of up to a tenth.
        static func longestProbe(of cause: PauseReason) -> Duration { .seconds(cause == .endpoint ? 270 : 3600) }
    }

    /// The reason if the lane waits, or `nil` if it may send.
    package private(set) var reason: Reason?
    /// The earliest time for sending again.
    package private(set) var notBefore = MonotonicInstant(nanoseconds: .min)
    /// The number of consecutive temporary faults or probes.
    package private(set) var failures = 0
    /// The end of the wait requested by the receiver, if any.
    private var askedUntil: MonotonicInstant?
    private var lastFlush: MonotonicInstant?
    /// The start of the current or last pause.
    private var pauseStart: Timestamp?
    /// Whether an earlier run has paused the lane and this run has no response yet.
    package private(set) var isPausedByEarlierRun = false

    package init() {}

    /// Whether the lane may send now.
    package func isOpen(at now: MonotonicInstant) -> Bool { reason == nil || now >= notBefore }

    /// Why the lane only probes; `nil` when it does not.
    package var pause: PauseReason? {
        if case .paused(let cause) = reason { cause } else { nil }
    }

    /// The start of the pause, or `nil` if the lane is not paused or the start was not stored.
    package var pausedSince: Timestamp? {
        if case .paused = reason { pauseStart } else { nil }
    }

    /// Records an acknowledged batch.
    package mutating func succeeded() {
        (reason, askedUntil, failures) = (nil, nil, 0)
    }

    /// Records a response that is neither an acknowledgement nor a connection fault, such as one that splits a batch.
    package mutating func answered() {
        resume()
        (reason, askedUntil) = (nil, nil)
    }

    /// Records a temporary fault.
    ///
    /// - Parameters:
    ///   - now: The time of the fault.
    ///   - retryAfter: The wait requested by the receiver, if any.
    ///   - random: The randomness for the jitter.
    package mutating func failed(
        at now: MonotonicInstant,
        retryAfter: Duration?,
        using random: inout some RandomNumberGenerator
    ) {
        resume()
        failures += 1
        let longest = min(Limits.longestBackoff, Limits.firstBackoff * (1 << min(failures - 1, 12)))
        reason = .backoff
        notBefore = now.advanced(by: longest / 2 + Duration.random(upTo: longest / 2, using: &random))
        askedUntil = retryAfter.map { RetryState.end(of: $0, from: now, using: &random) }
        if let askedUntil, askedUntil >= notBefore { waitAsAsked(until: askedUntil) }
    }

    /// Applies a `Retry-After` from a late response without counting another failure.
    ///
    /// - Parameters:
    ///   - retryAfter: The wait requested by the receiver, if any.
    ///   - now: The time of the response.
    ///   - random: The randomness for the jitter.
    package mutating func ask(
        for retryAfter: Duration?,
        at now: MonotonicInstant,
        using random: inout some RandomNumberGenerator
    ) {
        guard let retryAfter else { return }
        let until = RetryState.end(of: retryAfter, from: now, using: &random)
        askedUntil = max(askedUntil ?? until, until)
        if reason == nil || until >= notBefore { waitAsAsked(until: until) }
    }

    /// Records that further requests would fail too, and pauses the lane.
    ///
    /// - Parameters:
    ///   - cause: The reason for the pause.
    ///   - now: The time on the monotonic clock.
    ///   - wall: The same time on the wall clock.
    ///   - retryAfter: The least wait, as requested by the receiver, if any.
    ///   - random: The randomness for the jitter.
    package mutating func paused(
        _ cause: PauseReason,
        at now: MonotonicInstant,
        wall: Timestamp,
        retryAfter: Duration? = nil,
        using random: inout some RandomNumberGenerator
    ) {
        let isSame = reason == .paused(cause)
        failures = isSame ? failures + 1 : 1
        if !isSame { pauseStart = wall }
        isPausedByEarlierRun = false
        reason = .paused(cause)
        let probe = min(Limits.longestProbe(of: cause), Limits.firstProbe * (1 << min(failures - 1, 9)))
        notBefore = RetryState.end(of: max(probe, retryAfter ?? .zero), from: now, using: &random)
        askedUntil = retryAfter.map { _ in notBefore }
    }

    /// Ends a back-off, or a pause that a change of network may have ended, at most once in 30 s.
    ///
    /// It ends no other pause, and no wait requested by the receiver.
    ///
    /// - Parameter now: The time of the flush.
    package mutating func skipBackoff(at now: MonotonicInstant) {
        guard !isOpen(at: now), reason == .backoff || isNetworkPause && askedUntil == nil else { return }
        if let lastFlush, lastFlush.duration(to: now) < Limits.flushInterval { return }
        lastFlush = now
        if let askedUntil, askedUntil > now { waitAsAsked(until: askedUntil) } else { notBefore = now }
    }

    /// Ends a pause, because the app reports that its cause is fixed.
    package mutating func resume() {
        if case .paused = reason {
            reason = nil
            failures = 0
        }
    }

    /// Whether the cause of the pause depends on the device's network.
    private var isNetworkPause: Bool { reason == .paused(.trust) || reason == .paused(.intercepted) }

    /// Returns the end of a wait of at most a day, with jitter.
    private static func end(
        of wait: Duration,
        from now: MonotonicInstant,
        using random: inout some RandomNumberGenerator
    ) -> MonotonicInstant {
        let asked = min(max(.zero, wait), RetryAfter.maximum)
        return now.advanced(by: asked + Duration.random(upTo: asked / 10, using: &random))
    }

    private mutating func waitAsAsked(until instant: MonotonicInstant) {
        if pause == nil { reason = .retryAfter }
        notBefore = instant
    }
}

extension Duration {
    /// Returns the random part of a lane's wait, from zero to a limit.
    static func random(upTo limit: Duration, using random: inout some RandomNumberGenerator) -> Duration {
        let nanoseconds = limit.nanoseconds
        return nanoseconds <= 0 ? .zero : .nanoseconds(Int64.random(in: 0...nanoseconds, using: &random))
    }
}

extension RetryState {
    /// Returns the state to store: the rest of the wait and the current time.
    ///
    /// - Parameter now: The current time, by both clocks.
    package func stored(at now: StoredMoment) -> StoredRetryState {
        var stored = StoredRetryState()
        stored.failures = failures
        guard let reason else { return stored }
        // The stored form has only one wait. The receiver's wait takes precedence.
        let isAsked = reason == .backoff && askedUntil.map { $0 > now.monotonic } == true
        stored.reason = (isAsked ? .retryAfter : reason).text
        stored.remaining = max(.zero, now.monotonic.duration(to: notBefore))
        (stored.noted, stored.boot) = (now.monotonic, now.boot)
        stored.pausedSince = pausedSince
        return stored
    }

    /// Restores a stored state, so a restart does not shorten its wait.
    ///
    /// Within the same boot, the time since it was stored counts. After a reboot the time without power is unknown, and
    /// the stored rest of the wait applies in full.
    ///
    /// - Parameters:
    ///   - stored: The stored state.
    ///   - now: The current time, by both clocks.
    package init(_ stored: StoredRetryState, at now: StoredMoment) {
        var remaining = max(.zero, min(stored.remaining, RetryAfter.maximum * 2))
        if stored.boot == now.boot { remaining -= max(.zero, stored.noted.duration(to: now.monotonic)) }
        reason = Reason.all.first { $0.text == stored.reason }
        failures = max(0, stored.failures)
        if reason != nil { notBefore = now.monotonic.advanced(by: max(.zero, remaining)) }
        if pause != nil { (pauseStart, isPausedByEarlierRun) = (stored.pausedSince, true) }
    }
}

extension RetryState.Reason {
    /// Every reason.
    static let all = [.backoff, .retryAfter] + PauseReason.allCases.map(Self.paused)

    /// The text in the stored state.
    var text: String {
        switch self {
        case .backoff: "backoff"
        case .retryAfter: "retry_after"
        case .paused(let cause): "paused:\(cause.rawValue)"
        }
    }
}
