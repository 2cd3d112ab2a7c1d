public import CoreTracker

/// A notification for the app to log.
///
/// It contains only ids, counts and codes, never event data or secrets.
public enum Diagnostic: Sendable, Equatable {
    /// The directory is open, with this many pending events.
    ///
    /// It is sent again after a suspension or another wait.
    case opened(pending: Int)
    /// The directory cannot be used, or the disk refuses changes.
    ///
    /// Events are kept in memory, up to a limit. The engine tries again, unless the error is permanent for this
    /// process; see `OutboxError`.
    case storageFailed(OutboxError)
    /// The storage accepts events again.
    case storageRecovered
    /// A group could write to the directory or to a file of the queue, which are accessible for their owner only again.
    ///
    /// The associated value is the path of the directory. A supervisor has changed the permissions, such as Kubernetes
    /// with `fsGroup`.
    case permissionsRestored(directory: String)
    /// A damaged or missing queue file was replaced by a new one, with the valid events of the old one.
    case recovered(events: Int)
    /// The stored decision about a purpose is damaged or missing.
    ///
    /// The purpose is unknown until the app decides again. Its stored events are kept and not sent. They are deleted
    /// instead if a deletion may have been pending.
    case consentLost(ConsentPurpose)
    /// The stored quotas document is damaged, or it cannot be read now.
    ///
    /// The limits of the configuration are in effect until the app passes a document. The engine tries again to read
    /// the document, unless it is damaged.
    case quotasLost(OutboxError)
    /// Events were dropped.
    ///
    /// The first loss of each reason is reported at once, even if the storage is unavailable. Further losses are
    /// reported together, usually within a second. Several threads may each report a first loss. The sum of all counts
    /// is the number of dropped events, without those that are still in the buffer when the engine closes, which its
    /// report counts.
    case dropped(lane: LaneID, reason: DropReason, count: Int)
    /// A receiver refused an event, which is kept for inspection.
    case quarantined(lane: LaneID, id: EventID, reason: String)
    /// A request failed for a temporary cause, and will be repeated after the wait.
    case retrying(lane: LaneID, cause: String, wait: Duration)
    /// A lane was paused because further requests would fail too. The pause drops no event.
    case paused(lane: LaneID, reason: PauseReason)
    /// A lane delivers again after a failure or a pause.
    case resumed(lane: LaneID)
    /// Neither the user nor the configuration has decided about a purpose, and the default is to send. The engine sends
    /// this diagnostic for each such purpose when it is opened.
    case consentAssumed(ConsentPurpose)
    /// Requests to these hosts and ports are not encrypted. Sent when the engine is opened.
    case unencrypted(receivers: [String])
    /// A second tracker of a vendor was not registered, and gets no event.
    ///
    /// The associated value is the lane of the vendor.
    case duplicateVendor(LaneID)
    /// A user's id looks like an e-mail address, which services forbid. It is still sent unchanged. Sent once.
    case userIDLooksPersonal
    /// The id of a user or of a session has more than 4,096 bytes, so it is not used.
    case idTooLong
}
