/// What the engine does to the intake beside tracking.
extension Intake {
    /// The time that an event of now would get.
    var now: Timestamp { eventTime?() ?? clock.wallTime() }

    /// Takes no more events of lanes, and gives up those that are buffered.
    func deny(_ lanes: [Int]) {
        let removed = withState { $0.setDenied(true, lanes: lanes) }
        for entry in removed {
            entry.receipt?.resume(returning: Receipt(id: entry.id, outcome: .lost(.consentDenied)))
        }
    }

    /// The report of an engine that is not open: nothing was sent, everything is held.
    var unopenedReport: FlushReport {
        FlushReport(
            lanes: withState { state in
                state.lanes.map {
                    FlushReport.Lane(id: $0.id, outcome: .unserved, delivered: 0, pending: $0.ledger.pending)
                }
            }.sorted { $0.id < $1.id }
        )
    }

    /// The statistics of an engine that is not open.
    var unopenedStatistics: [LaneStatistics] {
        withState { state in
            state.lanes.map {
                LaneStatistics(
                    id: $0.id,
                    ledger: $0.ledger,
                    ledgerSinceOpening: $0.ledger,
                    carriedOver: 0,
                    oldestPendingAge: nil,
                    lastSuccess: nil,
                    pauseReason: nil
                )
            }
        }.sorted { $0.id < $1.id }
    }
}
