import EventOutbox
import EventTracking

/// Barriers, and the recovery from storage errors.
extension DeliveryState {
    /// Makes all stored events survive a power loss, unless they do already.
    func makeBarrier() {
        guard storage.state == .ready else { return }
        do throws(OutboxError) {
            if storage.needsBarrier { try storage.makeBarrier(lanes.rows, number: row.number) }
            try? publishDecisions()
        } catch {
            handle(error)
        }
    }

    /// Writes the stored decisions to the file for the app's extensions.
    ///
    /// - Throws: The error of the file system. Each barrier tries it again.
    func publishDecisions() throws(OutboxError) {
        if storage.outbox.isFile { try exchange.publish(row) }
    }

    /// Starts the recovery from an error.
    func handle(_ error: OutboxError) {
        switch error {
        case .directoryInUse: releaseDirectory(error)
        case .corrupt: replaceFile(isDamaged: true)
        default:
            storage.failed(error)
            // After a failed sync the contents on disk are unknown, and a second sync would not report the loss.
            if error == .vanished || error.isFailedSync { replaceFile(isDamaged: false) }
        }
    }

    /// Tries to use the storage again after an error.
    func recover() {
        switch storage.state {
        case .inMemory(_, _?): replaceFile(isDamaged: false)
        case .refusing, .unreadable:
            do throws(OutboxError) {
                if !storage.outbox.isOpen { try storage.reopenFile() }
                guard !storage.fileState.isSuspect, storage.outbox.isPresent else {
                    return replaceFile(isDamaged: false)
                }
                try storage.makeBarrier(lanes.rows, number: row.number)
                publishAll()
            } catch {
                handle(error)
            }
        case .waiting, .ready, .inMemory, .closed: break
        }
    }

    private func replaceFile(isDamaged: Bool) {
        do throws(OutboxError) {
            restore(try storage.replaceFile(rows: rows, isDamaged: isDamaged))
            writeCheckpoint()
            publishAll()
        } catch .corrupt where !isDamaged {
            replaceFile(isDamaged: true)
        } catch .directoryInUse where storage.outbox.isFile {
            releaseDirectory(.directoryInUse)
        } catch {
            storage.failed(error)
        }
    }

    /// Writes the durability checkpoint.
    func writeCheckpoint() { storage.writeCheckpoint(lanes.rows, number: row.number) }

    /// All rows of the outbox except its segments.
    private var rows: OutboxRows {
        var rows = OutboxRows()
        rows.lanes = lanes.rows
        rows.quarantined = quarantine.events
        rows.state = row
        return rows
    }
}
