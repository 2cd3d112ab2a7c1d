import Foundation

/// How the outbox is found, and what earlier processes have left beside it.
extension DeliveryStore {
    /// The most files of ended processes that are taken over by one start.
    private static let mostFiles = 64

    /// Opens the outbox: local, quick, and always with a result, in memory where the device does not let us write.
    func open() {
        if let url = configuration.directory {
            do throws(OutboxError) {
                try openFile(in: url)
            } catch {
                outbox = BufferedOutbox(AbsentOutbox(error))
                storageFailed(error)
            }
        }
        if deviceID.isEmpty { deviceID = Installation.makeID() }
        for destination in configuration.destinations { _ = index(of: destination.lane) }
        for index in lanes.indices { lanes[index].opening = lanes[index].stored.ledger }
        publish(lanes.indices)
        diagnostics.send(.opened(pending: lanes.reduce(0) { $0 + $1.stored.ledger.pending }))
    }

    /// Opens a file after all, and brings into it what has been kept in memory meanwhile.
    func reopen() {
        guard let url = configuration.directory else { return }
        let (memory, before) = (outbox, lanes)
        do throws(OutboxError) {
            try openFile(in: url, bringing: OutboxContents(of: memory, lanes: lanes.map(\.stored)))
            superseded = []
            storageSucceeded()
        } catch {
            // A file that was opened stays as it is, for the next attempt.
            if file != nil { outbox.close() }
            (outbox, lanes, file, orphans, leftFiles) = (memory, before, nil, [], [])
            storageFailed(error)
        }
    }

    private func openFile(in url: URL, bringing contents: OutboxContents? = nil) throws(OutboxError) {
        let directory = try OutboxDirectory(url)
        let installation = Installation(directory: directory.url)
        if deviceID.isEmpty { deviceID = installation.id }
        try scan(directory)
        if let own = orphans.first {
            orphans.removeFirst()
            takeUp(own)
            if let contents { try absorb(contents, from: superseded.sorted(), isEarlier: false) }
        } else {
            try install(contents ?? OutboxContents(), in: directory, adopting: superseded.sorted())
        }
        file?.ballast.fill()
    }

    /// Takes the owner lock of every file that nobody owns, and notes which are damaged.
    private func scan(_ directory: OutboxDirectory) throws(OutboxError) {
        (orphans, leftFiles) = ([], [])
        for path in try directory.queues().prefix(DeliveryStore.mostFiles) {
            do throws(OutboxError) {
                try directory.clearStrays(of: path)
                orphans.append(try Orphan(path: path, directory: directory))
            } catch .newerVersion(let version) {
                // It stays whole where it is, for the version that can read it.
                diagnostics.send(.setAside(.newerVersion(version)))
            } catch .busy {
                // Another process, or another engine of this one, is at work on it.
            } catch {
                leave(LeftFile(path: path, cause: error), because: error)
            }
        }
        // What was brought into another file and not deleted any more is deleted now, while its lock is held.
        let adopted = orphans.reduce(into: superseded) { $0.formUnion($1.adoptions) }
        for orphan in orphans where adopted.contains(orphan.name) { orphan.outbox.discard() }
        orphans.removeAll { adopted.contains($0.name) }
        for left in leftFiles where adopted.contains(OutboxDirectory.name(of: left.path)) {
            _ = try directory.setAside(left.path)
        }
        leftFiles.removeAll { adopted.contains(OutboxDirectory.name(of: $0.path)) }
    }

    /// Makes an outbox this engine's own, with its books checked against its own counts and its mark.
    private func takeUp(_ own: Orphan) {
        outbox = BufferedOutbox(own.outbox)
        file = own.file
        for index in lanes.indices { lanes[index].forgetStored() }
        for state in own.lanes {
            let index = index(of: state.stored.id)
            lanes[index].stored = state.stored
            lanes[index].opening.add(state.stored.ledger)
            lanes[index].usage = state.usage
            lanes[index].batches = state.batches
        }
        // Lanes that were tracked on before, and that the file does not know, get the numbers that it has not used.
        var number = own.lanes.map(\.stored.number).max() ?? 0
        for index in lanes.indices where !own.knows(lanes[index].stored) {
            number += 1
            lanes[index].stored.number = number
        }
        for index in lanes.indices { correctBooks(lane: index) }
    }
}
