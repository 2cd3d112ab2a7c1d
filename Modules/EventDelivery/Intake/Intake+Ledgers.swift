import CoreTracker

/// What the intake knows of its lanes.
extension Intake {
    /// A lane's ledger as they are now, and what of them is not in the outbox.
    struct LaneSnapshot {
        let id: LaneID
        let ledger: LaneLedger
        /// Events that are buffered or on their way into the outbox.
        let unstored: Int
        /// How the lane stood when its ledger was published last.
        let status: LaneStatus
    }

    /// The entry of a lane, which is made on first use.
    ///
    /// Each shard keeps the lanes that its threads have asked for, so that a service which looks its lane up at each
    /// event shares no lock with other threads.
    func lane(_ id: LaneID) -> DeliveryLane {
        let shard = shards[runtime.shard?() ?? Intake.shardOfThread]
        if let known = shard.withState({ $0.lanes[id] }) {
            return DeliveryLane(id: id, index: known.index, consent: known.consent, intake: self)
        }
        let made = withLanes { lanes in
            let index = lanes.index(of: id)
            return (index: index, consent: lanes.lanes[index].consent)
        }
        shard.withState { $0.lanes[id] = made }
        return DeliveryLane(id: id, index: made.index, consent: made.consent, intake: self)
    }

    /// The ledgers of all lanes as they are now, by index.
    ///
    /// Looks at every buffered event.
    var ledgers: [LaneSnapshot] {
        withLanes { lanes in
            var unstored = lanes.lanes.map(\.taken)
            var refused = lanes.lanes.map(\.refused)
            for shard in shards {
                shard.withState { state in
                    for entry in state.entries { unstored[entry.lane] += 1 }
                    for (lane, reasons) in state.refused { refused[lane].merge(reasons, uniquingKeysWith: +) }
                }
            }
            return lanes.lanes.indices.map { index in
                var ledger = lanes.lanes[index].stored
                ledger.accepted += unstored[index]
                for (reason, count) in refused[index] {
                    ledger.accepted += count
                    ledger.drop(count, reason)
                }
                return LaneSnapshot(
                    id: lanes.lanes[index].id,
                    ledger: ledger,
                    unstored: unstored[index],
                    status: lanes.lanes[index].status
                )
            }
        }
    }

    /// The lane for which an event is buffered; `nil` when it is not.
    func laneOfBuffered(_ id: EventID) -> LaneID? {
        withLanes { lanes in
            for shard in shards {
                let lane = shard.withState { $0.entries.first { $0.id == id }?.lane }
                if let lane { return lanes.lanes[lane].id }
            }
            return nil
        }
    }

    /// The statistics of an engine that is not open.
    var unopenedStatistics: [LaneStatistics] {
        ledgers.map { LaneStatistics(id: $0.id, ledger: $0.ledger) }.sorted { $0.id < $1.id }
    }
}
