import CoreTracker

extension DropReason {
    /// The reason of the library with this name, or `nil` for a rule, a middleware or a later version's reason.
    private var ofTheLibrary: LibraryReason? { LibraryReason(rawValue: name) }

    /// Whether the app, the user or the configuration wants the loss.
    ///
    /// A loss by middleware is intended. A loss by a destination's rule or for an unknown reason is not.
    public var isIntended: Bool { ofTheLibrary?.isIntended ?? name.hasPrefix(DropReason.middlewarePrefix) }

    /// Returns the explanation of a loss.
    ///
    /// - Parameters:
    ///   - count: The number of dropped events, at least 1.
    ///   - lane: The lane.
    func explanation(count: Int, on lane: LaneStatistics) -> Explanation {
        let (name, events) = ("dropped.\(name)", LaneStatistics.events(count))
        if let reason = ofTheLibrary { return reason.explanation(events, on: lane) }
        if let rule = suffix(after: DropReason.rulePrefix) {
            return Explanation(
                name,
                "\(events) refused by the rule \(rule) before being stored",
                cure: "correct the tracked event"
            )
        }
        if let middleware = suffix(after: DropReason.middlewarePrefix) {
            return Explanation(name, "\(events) dropped by the middleware \(middleware)", cure: "", isIntended: true)
        }
        return Explanation(name, "\(events) dropped for the reason \(self.name)", cure: "see its documentation")
    }

    private func suffix(after prefix: String) -> Substring? {
        name.hasPrefix(prefix) ? name.dropFirst(prefix.count) : nil
    }
}

extension LibraryReason {
    /// Whether a tracker counts the reason on a lane that may need no destination.
    static func isBeforeALane(_ reason: DropReason) -> Bool {
        switch LibraryReason(rawValue: reason.name) {
        case .noTracker, .noVendorService, .vendorNotRegistered, .vendorDisabled, .vendorWithoutEvents, .tooManyLanes:
            true
        default: false
        }
    }

    /// Whether the app, the user or the configuration wants the loss.
    var isIntended: Bool {
        switch self {
        case .consentDenied, .erased, .discarded, .switchedOff, .sampledOut, .rateCapped, .vendorDisabled: true
        case .other, .bufferFull, .bufferBytes, .tooDeep, .idTooLong, .tooManyParameters, .closed, .storageFull,
            .tooManyLanes, .noDestination, .noTracker, .noVendorService, .vendorNotRegistered, .vendorWithoutEvents,
            .consentBudget, .countBudget, .byteBudget, .expired, .corrupted, .tooLarge, .quarantineFull,
            .droppedByReceiver:
            false
        }
    }

    /// Returns the explanation of a loss.
    ///
    /// - Parameters:
    ///   - events: The number of dropped events with its verb, such as `2 events are`.
    ///   - lane: The lane.
    fileprivate func explanation(_ events: String, on lane: LaneStatistics) -> Explanation {
        let (cause, cure) = sentence(events, on: lane)
        return Explanation(
            "dropped.\(rawValue)",
            cause,
            cure: isIntended ? "this loss is intended; \(cure)" : cure,
            isIntended: isIntended
        )
    }

    private func sentence(_ events: String, on lane: LaneStatistics) -> (cause: String, cure: String) {
        let vendor = lane.id.service
        return switch self {
        case .other:
            (
                "\(events) dropped for reasons that are not counted by name",
                "give rules and middleware short names, and fewer than \(LaneLedger.maximumNames)"
            )
        case .idTooLong:
            (
                "\(events) dropped, because an id has more than \(Identity.maximumIDBytes) bytes",
                "pass a shorter id of the user and of the session to withTracking"
            )
        case .tooManyLanes:
            (
                "\(events) dropped, because there are more than \(BufferLanes.maximum) lanes, or a lane's name is too long",
                "use a fixed set of products and services"
            )
        case .bufferFull:
            (
                "\(events) dropped, because the event buffer was full",
                "it fills before the engine is open, while the directory is in use or suspended, and if the disk is slow; "
                    + "open the engine earlier, or raise its capacity"
            )
        case .bufferBytes:
            (
                "\(events) dropped, because the event buffer had reached its size in bytes",
                "track smaller parameters, or raise byteCapacity of the engine"
            )
        case .tooDeep:
            (
                "\(events) dropped, because a parameter has more than \(EventParameters.maximumDepth) levels",
                "track a flatter parameter"
            )
        case .tooManyParameters:
            (
                "\(events) dropped, because of more than \(EventParameters.maximumCount) parameters",
                "track fewer parameters"
            )
        case .closed:
            (
                "\(events) lost, because the engine was closed",
                "open it at the start with a directory that can be used, and close it after the last event"
            )
        case .storageFull:
            (
                "\(events) lost, because the disk was full until the engine was closed",
                "free space on the disk of the directory, or lower bytes of DeliveryBudget"
            )
        case .noDestination:
            (
                "\(events) dropped, because the lane had no destination",
                "pass one in the configuration at each start"
            )
        case .noTracker:
            (
                "\(events) dropped, because the view has no product's tracker",
                "set it with tracker(_:) on a view around it"
            )
        case .noVendorService:
            (
                "vendor \(vendor): \(events) dropped, because the product's tracker has no vendor service",
                "give it one, such as LaneService(product: \"\(lane.id.product)\")"
            )
        case .vendorNotRegistered:
            (
                "vendor \(vendor): not registered, \(events) dropped",
                SimilarNames.question(about: vendor, among: lane.surroundings.vendors)
                    ?? "register its tracker" + SimilarNames.list(of: lane.surroundings.vendors, named: "vendors")
            )
        case .vendorDisabled:
            ("vendor \(vendor): disabled, \(events) dropped", "enable it in the store's TrackerConfig to send them")
        case .vendorWithoutEvents:
            (
                "vendor \(vendor): \(events) dropped, because its tracker records no named events",
                "conform it to VendorEventTrackable"
            )
        case .consentDenied:
            ("\(events) dropped, because consent\(lane.aim) was denied", "new events are sent after a grant")
        case .erased: ("\(events) erased, because the app called erase", "the receiver may have earlier events")
        case .consentBudget:
            (
                "\(events) dropped, because too many events wait for consent",
                "ask the user and call setConsent(_:for:), or raise eventsAwaitingConsent of DeliveryBudget"
            )
        case .countBudget:
            (
                "\(events) dropped, because more events are stored than the budget allows",
                "find out why they are not delivered, or raise events of DeliveryBudget"
            )
        case .byteBudget:
            (
                "\(events) dropped, because more bytes are stored than the budget allows",
                "find out why they are not delivered, or raise bytes of DeliveryBudget"
            )
        case .expired:
            (
                "\(events) dropped, because they were not delivered within the maximum age",
                "find out why they were not delivered, or raise age of DeliveryBudget"
            )
        case .corrupted:
            (
                "\(events) lost, because stored bytes were damaged or missing",
                "check the disk and other users of the directory"
            )
        case .tooLarge:
            (
                "\(events) dropped, because one event exceeds the size that the destination or the engine accepts",
                "track smaller parameters"
            )
        case .quarantineFull:
            (
                "\(events) dropped, because the quarantine was full",
                "look at quarantine.events(), correct the cause, then retry or discard"
            )
        case .discarded:
            ("\(events) dropped, because they were discarded from the quarantine", "correct the tracked event")
        case .switchedOff:
            ("\(events) dropped: switched off by the quotas document", "change the document to send them")
        case .sampledOut:
            (
                "\(events) dropped by the sampling of the configuration or the quotas document",
                "raise the share to send more"
            )
        case .rateCapped:
            (
                "\(events) dropped by the maximum rate of the configuration or the quotas document",
                "raise the rate to send more"
            )
        case .droppedByReceiver:
            (
                "\(events) lost at the receiver, which had accepted them",
                "lastFailure.code has the receiver's reason, and the receiver's log more"
            )
        }
    }
}
