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
        if !change.grantedLanes.isEmpty { record(change) }
        for index in indices {
            lanes[index].consent = .granted
            lanes[index].usage = try outbox.usage(lane: lanes[index].stored.number)
            lanes[index].wake.signal()
        }
    }

    private func deny(_ indices: [Int]) throws(OutboxError) {
        // What ended processes have left is the user's word's too.
        while adoptNext() {}
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
        publish(indices)
        confirm(unconfirmed.filter { indices.contains($0.value.lane) }.map(\.key), .lost(.consentDenied))
        try outbox.purge(indices.map { lanes[$0].stored })
        // Damaged files keep events of all purposes; what was sound in them has been brought over.
        try file?.directory.removeSetAside()
        guard let obstacle = storageFailure ?? leftFiles.first?.cause else { return }
        if !orphans.isEmpty || !leftFiles.isEmpty || !superseded.isEmpty { throw obstacle }
    }
}
