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
        return StoredGate(
            remaining: max(.zero, now.monotonic.duration(to: notBefore)),
            reason: name,
            failures: failures,
            noted: now.monotonic,
            boot: now.boot
        )
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
        self.init(reason: reason, until: until, failures: max(0, stored.failures))
    }
}
