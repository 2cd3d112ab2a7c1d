import CoreTracker

/// When groups of tracked events get into the outbox.
extension DeliveryStore {
    /// How long the writer waits for more events after it has stored a group.
    private static let groupWindow: Duration = .milliseconds(5)
    /// How long stored events may lack a barrier.
    private static let barrierInterval: Duration = .seconds(1)
    /// Stores groups until the store is stopped.
    func runWriter() async {
        while !isStopped {
            let now = clock.monotonicTime()
            if storageFailure != nil, now >= nextStorageAttempt {
                recover()
            } else if storageFailure == nil, let dirtySince, now >= dirtySince.advanced(by: Self.barrierInterval) {
                makeBarrier()
            } else if persistNext(all: false) {
                // Whoever lines up for the store comes first, however much is tracked.
                await Task.yield()
                guard intake.unstoredCount < Intake.groupSize else { continue }
                await intake.wake.wait(until: now.advanced(by: DeliveryStore.groupWindow), clock: clock)
            } else if adoptNext() {
                await Task.yield()
            } else if needsMaintenance {
                maintain()
            } else if let due = nextDue {
                await intake.wake.wait(until: due, clock: clock)
            } else {
                await intake.wake.wait()
            }
        }
    }

    /// When the writer has something to do although nothing urgent is tracked.
    private var nextDue: MonotonicInstant? {
        let relaxed = hasRoom ? intake.relaxedDue : nil
        let storage = storageFailure == nil ? dirtySince?.advanced(by: Self.barrierInterval) : nextStorageAttempt
        let left = storageFailure == nil && file != nil ? leftFiles.map(\.notBefore).min() : nil
        return [relaxed, storage, left].compactMap { $0 }.min()
    }

    /// Stores everything that was tracked before the call, and takes over all that ended processes have left; what
    /// comes meanwhile is left to the writer.
    func persistAll(barrier: Bool) {
        recover()
        persistBuffered()
        while adoptNext() {}
        // The writer has to see that a barrier is due.
        if barrier { makeBarrier() } else { intake.wake.signal() }
    }

    /// Makes everything stored so far survive a power loss.
    func makeBarrier() {
        guard storageFailure == nil else { return }
        guard outbox.isPresent else { return handle(.vanished) }
        do throws(OutboxError) {
            try commit(OutboxChange(), barrier: true)
            mark()
        } catch {
            return handle(error)
        }
        file?.ballast.fill()
        // Whoever waits for the barrier need not wait for what it leaves to tidy up.
        needsMaintenance = true
        intake.wake.signal()
    }

    /// Tidies up after a barrier, once the writer has nothing else to do.
    private func maintain() {
        needsMaintenance = false
        guard storageFailure == nil else { return }
        do throws(OutboxError) {
            try outbox.maintain()
        } catch {
            handle(error)
        }
    }
}
