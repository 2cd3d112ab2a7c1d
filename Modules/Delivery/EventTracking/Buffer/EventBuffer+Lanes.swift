package import CoreTracker
import Locks

/// The state of the lanes.
extension EventBuffer {
    /// A lane's current ledger, and its number of events outside the outbox.
    package struct LaneSnapshot {
        package let id: LaneID
        package let ledger: LaneLedger
        /// The number of buffered events, including events being stored.
        package let unstored: Int
        /// The latest published status, with the decision and the holds that are in effect now.
        package let status: LaneStatus
    }

    /// Returns a lane, and adds it if it is new.
    ///
    /// Each shard caches the lanes requested by its threads. If a service requests its lane for each event, it
    /// therefore shares no lock with other threads.
    ///
    /// - Parameter id: The lane's name.
    package func lane(_ id: LaneID) -> DeliveryLane {
        let shard = shards[runtime.shard?() ?? EventBuffer.shardOfThread]
        if let known = shard.withState({ $0.lanes[id] }) {
            return DeliveryLane(id: id, index: known.index, consent: known.consent, buffer: self)
        }
        let made = withLanes { lanes in
            let index = lanes.callersIndex(of: id).index
            return (index: index, consent: lanes.lanes[index].consent)
        }
        // The cache is bounded by the lanes.
        if !made.consent.isRefused { shard.withState { $0.lanes[id] = made } }
        return DeliveryLane(id: id, index: made.index, consent: made.consent, buffer: self)
    }

    /// The current ledgers of all lanes, by index.
    ///
    /// Reads every buffered event.
    package var ledgers: [LaneSnapshot] {
        withLanes { lanes in
            var unstored = lanes.lanes.map(\.taken)
            var refused = lanes.lanes.map(\.refused)
            for shard in shards {
                shard.withState { state in
                    for entry in state.entries { unstored[entry.lane] += 1 }
                    for (lane, reasons) in state.refused { refused[lane].add(reasons) }
                }
            }
            return lanes.lanes.indices.map { index in
                let lane = lanes.lanes[index]
                var (ledger, status) = (lane.stored, lane.status)
                // They can end a flush before the store publishes them.
                status.holds = lane.holds.reasons
                if status.hasDestination { status.consent = lane.consent.value }
                ledger.accepted += unstored[index]
                for (reason, count) in refused[index] {
                    ledger.accepted += count
                    ledger.drop(count, reason)
                }
                return LaneSnapshot(id: lane.id, ledger: ledger, unstored: unstored[index], status: status)
            }
        }
    }

    /// Returns the status of a buffered or recently refused event, or `nil` for any other event.
    ///
    /// - Parameter id: The event's id.
    package func explanation(of id: EventID) -> EventExplanation? {
        withLanes { lanes in
            for shard in shards {
                let found: (lane: Int, status: EventStatus)? = shard.withState { state in
                    if let entry = state.entries.first(where: { $0.id == id }) { return (entry.lane, .buffered) }
                    return state.refusals.refusal(of: id).map { ($0.lane, .dropped($0.reason)) }
                }
                if let found { return EventExplanation(lane: lanes.lanes[found.lane].id, status: found.status) }
            }
            return nil
        }
    }

    /// Returns the latest events of each lane and all buffered events that match a condition, in no order.
    func recentEvents(where isWanted: (TrackedEvent) -> Bool) -> [TrackedEvent] {
        withLanes { lanes in
            var notes = lanes.lanes.indices.map { lanes.recent.events(of: $0) }
            for shard in shards {
                shard.withState { state in
                    for entry in state.entries { notes[entry.lane].append(entry.note) }
                }
            }
            return notes.indices.flatMap { index in
                let id = lanes.lanes[index].id
                return notes[index].lazy.map { TrackedEvent(id: $0.id, lane: id, name: $0.name, time: $0.time) }
                    .filter(isWanted)
            }
        }
    }

    /// The statistics of an unopened engine, sorted by lane.
    var unopenedStatistics: [LaneStatistics] {
        var surroundings = surroundings
        surroundings.phase = .unopened
        return ledgers.map { LaneStatistics(id: $0.id, ledger: $0.ledger, surroundings: surroundings) }
            .sorted(by: \.id)
    }

    /// The names of lanes with a destination, and of vendors, for explanations.
    package var surroundings: LaneSurroundings {
        withLanes { lanes in
            let served = lanes.lanes.filter { $0.purpose != nil }.map(\.id)
            var surroundings = LaneSurroundings()
            surroundings.served = served.map(\.description).sorted(by: \.self)
            surroundings.vendors = lanes.vendors.union(served.map(\.service)).sorted(by: \.self)
            return surroundings
        }
    }
}
