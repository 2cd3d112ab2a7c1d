import CoreTracker

/// The reason for the loss of an event, as a stable name in snake case.
///
/// A destination's rule is counted as `rule.` followed by the rule's name, such as `rule.name_too_long`.
public struct DropReason: Sendable, Hashable {
    /// The stable name.
    public let name: String

    /// Creates a reason.
    ///
    /// - Parameter name: The stable name.
    public init(_ name: String) {
        self.name = name
    }

    init(_ reason: LibraryReason) {
        name = reason.rawValue
    }

    /// Returns the reason for an event that broke a destination's rule.
    ///
    /// - Parameter rule: The rule's name.
    /// - Returns: The reason.
    public static func rule(_ rule: String) -> DropReason { DropReason(rulePrefix + rule) }

    /// The prefix of the reasons from a destination's rules.
    static let rulePrefix = "rule."
    /// The prefix of the reasons from middleware.
    package static let middlewarePrefix = "middleware."

    /// The reason has a name of more than 128 bytes or with control characters, or the lane has 200 other reasons.
    public static let other = DropReason(.other)
    /// The memory buffer was full, the engine was not opened in time, or the directory was released while the event was
    /// only in memory.
    public static let bufferFull = DropReason(.bufferFull)
    /// The names and parameters of buffered events had reached the buffer's maximum size in bytes.
    public static let bufferBytes = DropReason(.bufferBytes)
    /// A parameter was nested deeper than `EventParameters.maximumDepth`.
    public static let tooDeep = DropReason(.tooDeep)
    /// The id of the scope's user or session had more than 4,096 bytes.
    public static let idTooLong = DropReason(.idTooLong)
    /// The event had more parameters than `EventParameters.maximumCount`.
    public static let tooManyParameters = DropReason(.tooManyParameters)
    /// The engine was closed when the event was tracked, or before the event was stored in a directory.
    public static let closed = DropReason(.closed)
    /// The disk was full until the engine was closed, so the event was never stored.
    public static let storageFull = DropReason(.storageFull)
    /// The lane was refused: there were too many lanes, or its names were too long.
    ///
    /// The event is counted on the lane `refused/lanes`.
    public static let tooManyLanes = DropReason(.tooManyLanes)
    /// The lane has no destination.
    public static let noDestination = DropReason(.noDestination)
    /// The view has no product's tracker.
    public static let noTracker = DropReason(.noTracker)
    /// The event was for a vendor, and the product's tracker has no vendor service.
    public static let noVendorService = DropReason(.noVendorService)
    /// The event was for a vendor, and no tracker is registered under the vendor's type.
    public static let vendorNotRegistered = DropReason(.vendorNotRegistered)
    /// The app's configuration disables the event's vendor.
    public static let vendorDisabled = DropReason(.vendorDisabled)
    /// The event was for a vendor whose tracker does not record named events.
    public static let vendorWithoutEvents = DropReason(.vendorWithoutEvents)
    /// The user has refused the destination's purpose.
    public static let consentDenied = DropReason(.consentDenied)
    /// The app erased the events of this user, or of all users.
    public static let erased = DropReason(.erased)
    /// The number or the size of the events awaiting consent had reached its maximum.
    public static let consentBudget = DropReason(.consentBudget)
    /// The number of stored events had reached its maximum.
    public static let countBudget = DropReason(.countBudget)
    /// The size of the stored events had reached its maximum.
    public static let byteBudget = DropReason(.byteBudget)
    /// The event exceeded the maximum age.
    public static let expired = DropReason(.expired)
    /// The stored bytes were damaged or missing.
    public static let corrupted = DropReason(.corrupted)
    /// The encoded event exceeded its destination's limit, or its name and parameters exceeded 1 MiB.
    public static let tooLarge = DropReason(.tooLarge)
    /// The quarantine was full, and this was the oldest event in it.
    public static let quarantineFull = DropReason(.quarantineFull)
    /// The event was discarded by the app or manually.
    public static let discarded = DropReason(.discarded)
    /// The quotas document has switched the event off, or its lane or product.
    public static let switchedOff = DropReason(.switchedOff)
    /// The sampling of the quotas document or of the configuration excluded the event's session.
    public static let sampledOut = DropReason(.sampledOut)
    /// The maximum rate of the quotas document or of the configuration was reached.
    public static let rateCapped = DropReason(.rateCapped)
    /// The receiver responded that it has dropped the event, and that it must not be sent again.
    public static let droppedByReceiver = DropReason(.droppedByReceiver)
}

extension DropReason: CustomStringConvertible {
    public var description: String { name }
}

/// The library's reasons, without the reasons of rules and middleware.
///
/// Each public constant of ``DropReason`` has a case here. A new case needs a sentence in
/// `LibraryReason.explanation(of:_:)`.
package enum LibraryReason: String, Sendable, CaseIterable {
    case other
    case bufferFull = "buffer_full"
    case bufferBytes = "buffer_bytes"
    case tooDeep = "parameters_too_deep"
    case idTooLong = "id_too_long"
    case tooManyParameters = "too_many_parameters"
    case closed
    case storageFull = "storage_full"
    case tooManyLanes = "too_many_lanes"
    case noDestination = "no_destination"
    case noTracker = "no_tracker"
    case noVendorService = "no_vendor_service"
    case vendorNotRegistered = "vendor_not_registered"
    case vendorDisabled = "vendor_disabled"
    case vendorWithoutEvents = "vendor_without_events"
    case consentDenied = "consent_denied"
    case erased
    case consentBudget = "budget_consent"
    case countBudget = "budget_count"
    case byteBudget = "budget_bytes"
    case expired
    case corrupted
    case tooLarge = "event_too_large"
    case quarantineFull = "quarantine_full"
    case discarded
    case switchedOff = "switched_off"
    case sampledOut = "sampled_out"
    case rateCapped = "rate_capped"
    case droppedByReceiver = "dropped_by_receiver"
}
