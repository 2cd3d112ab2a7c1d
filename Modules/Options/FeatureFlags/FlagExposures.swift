import EventTracking

/// The tracked exposures, each once for a visit and a variant.
struct FlagExposures: Sendable {
    /// The maximum number of known users and sessions.
    ///
    /// An exposure in another one is tracked again.
    static let maximumVisits = 1_024

    /// A session of a user.
    struct Visit: Hashable {
        /// The id of a scope's device if the scope has no user, or else empty.
        let device: String
        let user: UserHash
        let session: String
    }

    private var exposed: [Visit: Set<FlagExposed>] = [:]
    /// The keys of ``exposed``, the oldest first.
    private var visits: [Visit] = []

    /// Records an exposure.
    ///
    /// Returns whether to track it.
    mutating func insert(_ event: FlagExposed, in visit: Visit) -> Bool {
        if exposed[visit] == nil {
            visits.append(visit)
            if visits.count > FlagExposures.maximumVisits { exposed[visits.removeFirst()] = nil }
        }
        return exposed[visit, default: []].insert(event).inserted
    }
}
