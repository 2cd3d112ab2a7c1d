/// What the user's word does to what is stored.
extension DeliveryStore {
    /// The lanes whose destinations serve a purpose.
    func lanes(for purpose: ConsentPurpose) -> [Int] {
        lanes.indices.filter { lanes[$0].destination?.purpose == purpose }
    }

    /// Applies a consent to lanes; after a denial no byte of their events is left.
    func apply(_ consent: Consent, to indices: [Int]) throws(OutboxError) {
        switch consent {
        case .unknown: for index in indices { lanes[index].consent = .unknown }
        case .granted: try grant(indices)
        case .denied: try deny(indices)
        }
        checkFlushes()
    }

    private func grant(_ indices: [Int]) throws(OutboxError) {
        var change = OutboxChange()
        change.grantedLanes = indices.filter { lanes[$0].usage.heldEvents > 0 }.map { lanes[$0].stored.number }
        if !change.grantedLanes.isEmpty { try commit(change) }
        for index in indices {
            lanes[index].consent = .granted
            lanes[index].usage = try outbox.usage(lane: lanes[index].stored.number)
            lanes[index].wake.signal()
        }
    }

    private func deny(_ indices: [Int]) throws(OutboxError) {
        let denied = Set(indices)
        dropRetained(denied)
        for index in indices {
            lanes[index].consent = .denied
            lanes[index].leased = nil
            lanes[index].batches = []
            lanes[index].usage = LaneUsage()
            let ledger = lanes[index].stored.ledger
            let lost = ledger.pending + ledger.quarantined
            lanes[index].stored.ledger.quarantined = 0
            lanes[index].stored.ledger.drop(lost, .consentDenied)
            if lost > 0 {
                diagnostics.send(.dropped(lane: lanes[index].stored.id, reason: .consentDenied, count: lost))
            }
        }
        recentFates.forget(Set(indices.map { lanes[$0].stored.id }))
        let numbers = Set(indices.map { lanes[$0].stored.number })
        for position in unrecorded.indices {
            unrecorded[position].inserted.removeAll { numbers.contains($0.place.lane) }
            unrecorded[position].insertedHeld.removeAll { numbers.contains($0.place.lane) }
            unrecorded[position].insertedQuarantined.removeAll { event in
                indices.contains { lanes[$0].stored.id == event.lane }
            }
        }
        publish(indices)
        try outbox.purge(indices.map { lanes[$0].stored })
        // Damaged files keep events of all purposes; what was sound in them has been brought over.
        try file?.directory.removeSetAside()
    }

    /// Takes denied events out of a group that could not be stored yet.
    private func dropRetained(_ denied: Set<Int>) {
        guard var group = retained else { return }
        let lost = group.entries.filter { denied.contains($0.lane) }
        group.entries.removeAll { denied.contains($0.lane) }
        for lane in denied { group.counts[lane] = nil }
        retained = group.isEmpty ? nil : group
        var lostGroup = IntakeGroup(entries: lost)
        for entry in lost { lostGroup.counts[entry.lane, default: 0] += 1 }
        for entry in lost {
            lanes[entry.lane].stored.ledger.accepted += 1
            lanes[entry.lane].stored.ledger.drop(1, .consentDenied)
            entry.receipt?.resume(returning: Receipt(id: entry.id, outcome: .lost(.consentDenied)))
        }
        intake.withState { $0.recordStored(lostGroup, ledgers: [:]) }
    }
}
