package import CoreTracker

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

    /// Returns the reason for an event that broke a destination's rule.
    ///
    /// - Parameter rule: The rule's name.
    /// - Returns: The reason.
    public static func rule(_ rule: String) -> DropReason { DropReason(rulePrefix + rule) }

    /// Returns the reason if parameters exceed a limit on their depth or number, or `nil`.
    @inline(__always) package static func excess(of parameters: EventParameters, _ defaults: EventParameters) -> Self? {
        (parameters.excess ?? defaults.excess).map { $0 == .tooDeep ? .tooDeep : .tooManyParameters }
    }

    /// The prefix of the reasons from a destination's rules.
    static let rulePrefix = "rule."
    /// The prefix of the reasons from middleware.
    package static let middlewarePrefix = "middleware."

    /// The reason has a name of more than 128 bytes or with control characters, or the lane has 200 other reasons.
    public static let other = DropReason("other")
    /// The memory buffer was full, the engine was not opened in time, or the directory was released while the event was
    /// only in memory.
    public static let bufferFull = DropReason("buffer_full")
    /// The names and parameters of buffered events had reached the buffer's maximum size in bytes.
    public static let bufferBytes = DropReason("buffer_bytes")
    /// A parameter was nested deeper than `EventParameters.maximumDepth`.
    public static let tooDeep = DropReason("parameters_too_deep")
    /// The id of the scope's user or session had more than 4,096 bytes.
    public static let idTooLong = DropReason("id_too_long")
    /// The event had more parameters than `EventParameters.maximumCount`.
    public static let tooManyParameters = DropReason("too_many_parameters")
    /// The engine was closed when the event was tracked, or before the event was stored in a directory.
    public static let closed = DropReason("closed")
    /// The disk was full until the engine was closed, so the event was never stored.
    public static let storageFull = DropReason("storage_full")
    /// The lane was refused: there were too many lanes, or its names were too long.
    ///
    /// The event is counted on the lane `refused/lanes`.
    public static let tooManyLanes = DropReason("too_many_lanes")
    /// The lane has no destination.
    public static let noDestination = DropReason("no_destination")
    /// The view has no product's tracker.
    public static let noTracker = DropReason("no_tracker")
    /// The event was for a vendor, and the product's tracker has no vendor service.
    public static let noVendorService = DropReason("no_vendor_service")
    /// The event was for a vendor, and no tracker is registered under the vendor's type.
    public static let vendorNotRegistered = DropReason("vendor_not_registered")
    /// The app's configuration disables the event's vendor.
    public static let vendorDisabled = DropReason("vendor_disabled")
    /// The event was for a vendor whose tracker does not record named events.
    public static let vendorWithoutEvents = DropReason("vendor_without_events")
    /// The user has refused the destination's purpose.
    public static let consentDenied = DropReason("consent_denied")
    /// The app erased the events of this user, or of all users.
    public static let erased = DropReason("erased")
    /// The number of events awaiting consent had reached its maximum.
    public static let consentBudget = DropReason("budget_consent")
    /// The number of stored events had reached its maximum.
    public static let countBudget = DropReason("budget_count")
    /// The size of the stored events had reached its maximum.
    public static let byteBudget = DropReason("budget_bytes")
    /// The event exceeded the maximum age.
    public static let expired = DropReason("expired")
    /// The stored bytes were damaged or missing.
    public static let corrupted = DropReason("corrupted")
    /// The encoded event exceeded its destination's limit, or its name and parameters exceeded 1 MiB.
    public static let tooLarge = DropReason("event_too_large")
    /// The quarantine was full, and this was the oldest event of the lane with the most events in it.
    public static let quarantineFull = DropReason("quarantine_full")
    /// The event was discarded by the app or manually.
    public static let discarded = DropReason("discarded")
    /// The quotas document has switched the event off, or its lane or product.
    public static let switchedOff = DropReason("switched_off")
    /// The sampling of the quotas document or of the configuration excluded the event's session.
    public static let sampledOut = DropReason("sampled_out")
    /// The maximum rate of the quotas document or of the configuration was reached.
    public static let rateCapped = DropReason("rate_capped")
    /// The receiver responded that it has dropped the event, and that it must not be sent again.
    public static let droppedByReceiver = DropReason("dropped_by_receiver")
}

extension DropReason: CustomStringConvertible {
    public var description: String { name }
}

extension DropReason {
    /// The library's reasons, without the reasons of rules and middleware.
    ///
    /// Each public constant is in the list, and has a sentence in the module DeliveryLogging.
    package static let all: [DropReason] = [
        .other, .bufferFull, .bufferBytes, .tooDeep, .idTooLong, .tooManyParameters, .closed, .storageFull,
        .tooManyLanes, .noDestination, .noTracker, .noVendorService, .vendorNotRegistered, .vendorDisabled,
        .vendorWithoutEvents, .consentDenied, .erased, .consentBudget, .countBudget, .byteBudget, .expired,
        .corrupted, .tooLarge, .quarantineFull, .discarded, .switchedOff, .sampledOut, .rateCapped,
        .droppedByReceiver,
    ]

    /// Whether the app, the user or the configuration wants the loss.
    ///
    /// A loss by middleware is intended. A loss by a destination's rule or for an unknown reason is not.
    public var isIntended: Bool {
        switch self {
        case .consentDenied, .erased, .discarded, .switchedOff, .sampledOut, .rateCapped, .vendorDisabled: true
        default: name.hasPrefix(DropReason.middlewarePrefix)
        }
    }
}
