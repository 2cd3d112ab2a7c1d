import CoreTracker
import Locks

/// Waking the writer.
extension EventBuffer {
    /// Whether ``wakeWriter()`` must be called for a newly buffered event.
    func wakesWriter(_ durability: TrackOptions.Durability, isFirstRelaxed: Bool, count: Int) -> Bool {
        let phase = phase
        guard phase == .open else { return phase == .unopened && !watchesOpening.load(ordering: .relaxed) }
        let isUrgent = durability == .strict || count >= EventBuffer.groupSize
        if isUrgent, count <= EventBuffer.groupSize {
            isWriterIdle.store(false, ordering: .relaxed)
            return true
        }
        guard isWriterIdle.load(ordering: .relaxed) else { return false }
        // A relaxed event only makes the writer set its timer.
        if durability == .relaxed { return isFirstRelaxed }
        return isWriterIdle.exchange(false, ordering: .relaxed)
    }

    /// Wakes the writer or, before the engine is opened, starts the wait for its opening.
    func wakeWriter() {
        guard isUnopened else { return wake.signal() }
        guard !watchesOpening.exchange(true, ordering: .relaxed) else { return }
        let end = clock.monotonicTime().advanced(by: LaneStatistics.patience)
        // A weak reference would make each later reference to the buffer slower.
        runtime.task { if (try? await self.clock.sleep(until: end)) != nil { self.logUnopened() } }
    }

    /// Reports that events wait for the opening of the engine, if they do.
    func logUnopened() {
        guard isUnopened, unstoredCount > 0 else { return }
        unopenedNotice.withLock { $0.take() }?()
    }
}
