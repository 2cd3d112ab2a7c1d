import CoreTracker

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
        case .recovered, .consentLost, .quotasLost, .consentAssumed, .slowMiddleware, .duplicateVendor,
            .userIDLooksPersonal, .idTooLong, .permissionsRestored:
            ""
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
        case .permissionsRestored(let directory):
            Explanation(
                "storage.permissions_restored",
                "a group could write to the directory \(directory) or its files, which are their owner's only again",
                cure: "keep the supervisor from changing them, such as by fsGroupChangePolicy: OnRootMismatch"
            )
        case .recovered(let events):
            Explanation(
                "recovered",
                "a damaged or missing queue file was replaced, and \(LaneStatistics.events(events)) recovered",
                cure: "check the disk, and other users of the directory"
            )
        case .consentLost(let purpose):
            Explanation(
                "consent_lost",
                "the stored decision about \(purpose.name) is damaged or missing",
                cure: "ask the user again, and call setConsent(_:for:)"
            )
        case .quotasLost(let error):
            Explanation(
                "quotas_lost",
                "the stored quotas document cannot be read (\(error))",
                cure: "call setQuotas(document:) again; the configuration's quotas are in effect until then"
            )
        case .consentAssumed(let purpose):
            Explanation(
                "consent_assumed",
                "there is no decision about \(purpose.name), so its events are sent",
                cure: "call setConsent(_:for:), or pass .unknown as defaultConsent"
            )
        case .slowMiddleware(let name, let average):
            Explanation(
                "slow_middleware",
                "the middleware \(name) takes \(average) for each event",
                cure: "make it faster, because it delays storing"
            )
        case .duplicateVendor(let lane):
            Explanation(
                "duplicate_vendor",
                "a second tracker of the vendor \(lane.service) was not registered, and gets no event",
                cure: "register one, or unregister the first"
            )
        case .userIDLooksPersonal:
            Explanation(
                "user_id_looks_personal",
                "the user's id looks like an e-mail address, which services forbid",
                cure: "pass an id without personal data, or call user.identify(_:policy:traits:)"
            )
        case .idTooLong:
            Explanation(
                "id_too_long",
                "the id of a user or of a session has more than \(Identity.maximumIDBytes) bytes, and is not used",
                cure: "pass a shorter id"
            )
        }
    }
}
