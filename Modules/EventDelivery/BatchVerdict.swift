/// What a destination's answer means for the batch that was sent.
public enum BatchVerdict: Sendable, Hashable {
    /// Every event of the batch has arrived.
    case delivered
    /// The events at the named positions have not arrived; all others have.
    case partial([Int: EventVerdict])
    /// A fault that passes: the same batch is sent again, after at least the answer's own wait.
    case retry(after: Duration?)
    /// At least one event is at fault: the batch is bisected until the one is found, which goes to quarantine.
    case refused(String)
    /// The batch was refused for no stated reason: it is bisected once, and where both halves are refused alike the
    /// lane pauses; nothing is lost.
    case suspect(String)
    /// The body is too large: the batch is split, and the smaller limit is remembered.
    case tooLarge
    /// Nothing is wrong with the events, but sending on is useless: everything is kept, and the lane probes.
    case paused(PauseReason)

    /// What an answer means for one event of a batch.
    public enum EventVerdict: Sendable, Hashable {
        /// The event is sent again.
        case retry
        /// The event goes to quarantine, for the given reason.
        case refused(String)
        /// The event is lost at the receiver and must not be sent again; it is counted as dropped for the reason.
        case lost(String)
    }
}

/// Why a lane keeps everything and only probes.
public enum PauseReason: String, Sendable, Hashable, CaseIterable {
    /// The receiver refuses the credentials (401, 403, 407).
    case credentials
    /// There is no such endpoint (404, 405, 410, 421).
    case endpoint
    /// Somebody else answered: a redirect, a captive portal, a page where an acknowledgement should be.
    case intercepted
    /// The receiver's certificate is not trusted.
    case trust
    /// The receiver does not speak this protocol (415, 501, 505), or refuses every event alike.
    case protocolMismatch
}
