import CoreTracker
public import EventTracking

extension Diagnostic: CustomStringConvertible {
    /// The diagnostic in words, without event data.
    public var description: String {
        if let incident { return incidentLane.map { "\($0): \(incident)" } ?? incident.description }
        return switch self {
        case .opened(let pending): "the directory is open: \(LaneStatistics.events(pending)) pending"
        case .storageFailed(let error): "the storage failed: \(error)"
        case .storageRecovered: "the storage accepts events again"
        case .dropped(let lane, let reason, let count):
            "\(lane): \(LaneStatistics.events(count)) lost for the reason \(reason)"
        case .quarantined(let lane, let id, _): "\(lane): the receiver refused the event \(id)"
        case .retrying(let lane, let cause, let wait):
            "\(lane): a request failed (\(cause)), the next one follows in \(wait.inOneUnit)"
        case .paused(let lane, let reason): "\(lane): paused for the reason \(reason.rawValue)"
        case .resumed(let lane): "\(lane): delivers again"
        default: ""
        }
    }

    /// The lane of ``incident``, or `nil` if it belongs to none.
    var incidentLane: LaneID? {
        if case .duplicateVendor(let lane) = self { lane } else { nil }
    }

    /// The cause and the cure of something that happens at one moment.
    ///
    /// It is `nil` for a diagnostic whose causes are in the statistics of the lanes.
    var incident: Explanation? {
        switch self {
        case .opened, .storageFailed, .storageRecovered, .dropped, .quarantined, .retrying, .paused, .resumed: nil
        case .permissionsRestored(let directory): Explanation("storage.permissions_restored", ["name": directory])
        case .recovered(let events): Explanation("recovered", ["events": LaneStatistics.events(events)])
        case .consentLost(let purpose): Explanation("consent_lost", ["name": purpose.name])
        case .quotasLost(let error): Explanation("quotas_lost", ["error": "\(error)"])
        case .consentAssumed(let purpose): Explanation("consent_assumed", ["name": purpose.name])
        case .unencrypted(let receivers): Explanation("unencrypted", ["name": receivers.joined(separator: ", ")])
        case .duplicateVendor(let lane): Explanation("duplicate_vendor", ["name": lane.service])
        case .userIDLooksPersonal: Explanation("user_id_looks_personal")
        case .idTooLong: Explanation("id_too_long")
        }
    }
}
