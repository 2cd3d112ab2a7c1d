package import CoreTracker
import Locks

/// The known lanes, their published ledgers and the decisions in effect.
package struct BufferLanes: Sendable {
    /// The published state of a lane.
    package struct Lane: Sendable {
        package let id: LaneID
        /// The purpose of the lane's destination, or `nil` until the engine is open.
        package fileprivate(set) var purpose: ConsentPurpose?
        /// The profile updates supported by the lane's destination.
        package fileprivate(set) var updates: Set<ProfileUpdate> = []
        /// The latest stored ledger.
        var stored = LaneLedger()
        /// The latest published status.
        var status = LaneStatus()
        /// The number of events taken out of the buffer by the writer and not stored yet.
        var taken = 0
        /// The counts of dropped events taken by the writer and not stored yet, by reason.
        var refused: [DropReason: Int] = [:]
        /// The decision in effect.
        package var consent = LaneConsent()
        /// The reasons for holding the lane.
        package let holds: LaneHolds
    }

    /// The maximum number of remembered vendors, which only explanations use.
    private static let maximumVendors = 64

    package private(set) var lanes: [Lane] = []
    /// The latest events of each lane that have left the buffer.
    private(set) var recent = RecentEvents()
    private var indices: [LaneID: Int] = [:]
    /// The user's decisions.
    package var privacy = CurrentDecisions()
    /// Whether the destinations are known.
    package private(set) var isServed = false
    /// The names of the vendors whose trackers are registered, as far as trackers have reported them.
    private(set) var vendors: Set<String> = []
    /// The holds of new lanes.
    var holdsOfAll: Set<HoldReason> = []
    /// The maximum number of lanes created by callers.
    ///
    /// The lanes of destinations and of stored events are not refused.
    package static let maximum = 1_024
    /// The lane on which the events of refused lanes are counted.
    package static let refused = LaneID(product: "refused", service: "lanes")

    package init() {}

    /// Returns the index of a lane, and adds the lane if it is new.
    ///
    /// - Parameter id: The lane's name.
    package mutating func index(of id: LaneID) -> Int {
        if let index = indices[id] { return index }
        indices[id] = lanes.count
        let consent = LaneConsent(isRefused: id == BufferLanes.refused)
        lanes.append(Lane(id: id, consent: consent, holds: LaneHolds(holdsOfAll)))
        return lanes.count - 1
    }

    /// Returns the index of a lane for a caller, which is refused beyond the limits.
    ///
    /// - Parameter id: The lane's name.
    /// - Returns: The index and whether the lane is refused. A refused lane has the index of ``refused``.
    mutating func callersIndex(of id: LaneID) -> (index: Int, isRefused: Bool) {
        if let index = indices[id] { return (index, lanes[index].consent.isRefused) }
        let isRefused = lanes.count >= BufferLanes.maximum || !id.isStorable
        return (index(of: isRefused ? BufferLanes.refused : id), isRefused)
    }

    /// Records that a group has left the buffer.
    ///
    /// - Parameter group: The events, and the counts of dropped events.
    mutating func noteTaken(_ group: BufferedGroup) {
        count(group, as: 1)
        recent.record(group)
        for (lane, refused) in group.refused { lanes[lane].refused.add(refused) }
    }

    /// Records that a group is in the outbox and that the stored ledgers include it.
    ///
    /// - Parameter group: The events, and the counts of dropped events.
    mutating func noteStored(_ group: BufferedGroup) {
        count(group, as: -1)
        for (lane, refused) in group.refused { lanes[lane].refused.subtract(refused) }
    }

    /// Records the names of vendors whose trackers are registered.
    mutating func noteVendors(_ names: some Sequence<String>) {
        for name in names where vendors.count < BufferLanes.maximumVendors { vendors.insert(name) }
    }

    private mutating func count(_ group: BufferedGroup, as one: Int) {
        // An index avoids a copy of each entry.
        for chunk in group.chunks { for index in chunk.indices { lanes[chunk[index].lane].taken += one } }
    }

    /// Publishes the stored ledger and the status of a lane.
    ///
    /// - Parameters:
    ///   - lane: The lane's index.
    ///   - ledger: The ledger in the outbox.
    ///   - status: The status at the same moment.
    /// - Returns: Whether the lane may have begun or ceased to wait for the app or for its user.
    package mutating func publish(_ lane: Int, _ ledger: LaneLedger, _ status: LaneStatus) -> Bool {
        let before = lanes[lane].status
        (lanes[lane].stored, lanes[lane].status) = (ledger, status)
        let hasEvents = (before.firstUnsettled != nil, status.firstUnsettled != nil)
        return before.isHeld != status.isHeld
            || status.isHeld && (before.holds != status.holds || hasEvents.0 != hasEvents.1)
    }
}

/// Consent decisions.
extension BufferLanes {
    /// Adds a decision, which takes effect for all lanes of its purpose.
    mutating func record(_ decision: PrivacyDecision) {
        privacy.record(decision)
        if decision.kind == .erasure(nil) { recent = RecentEvents() }
        if decision.purpose != nil { publishConsents() }
    }

    /// Sets the purposes of lanes' destinations, and their supported profile updates.
    mutating func serve(_ served: [ServedLane]) {
        for lane in served {
            let index = index(of: lane.id)
            (lanes[index].purpose, lanes[index].updates) = (lane.purpose, lane.updates)
        }
        isServed = true
    }

    /// Makes the decisions in effect visible to the callers of `track`.
    func publishConsents() {
        for lane in lanes {
            guard let purpose = lane.purpose else { continue }
            lane.consent.set(privacy.consent(for: purpose), denial: privacy.denial(of: purpose))
        }
    }
}

extension LaneID {
    /// The maximum size of the name of a product or of a service in bytes.
    package static let maximumNameBytes = 1_024

    /// Whether the names are short enough to be stored.
    package var isStorable: Bool {
        product.utf8.count <= LaneID.maximumNameBytes && service.utf8.count <= LaneID.maximumNameBytes
    }
}

/// A lane with a destination.
package struct ServedLane: Sendable {
    /// The lane's name.
    let id: LaneID
    /// The purpose of the destination.
    let purpose: ConsentPurpose
    /// The profile updates supported by the destination.
    let updates: Set<ProfileUpdate>

    /// Creates the description of a lane.
    ///
    /// - Parameters:
    ///   - id: The lane's name.
    ///   - purpose: The purpose of the destination.
    ///   - updates: The profile updates supported by the destination.
    package init(_ id: LaneID, purpose: ConsentPurpose, updates: Set<ProfileUpdate> = []) {
        (self.id, self.purpose, self.updates) = (id, purpose, updates)
    }
}

extension BufferLanes {
    /// Changes the holds of a lane or of all lanes.
    mutating func changeHolds(_ id: LaneID?, _ change: (inout Set<HoldReason>) -> Void) {
        if let id {
            let (index, isRefused) = callersIndex(of: id)
            return isRefused ? () : lanes[index].holds.change(change)
        }
        change(&holdsOfAll)
        for lane in lanes { lane.holds.change(change) }
    }
}
