import CoreTracker
import EventOutbox
import EventTracking

/// A component that deletes the bytes of denied and erased events.
///
/// It works in passes over the whole outbox, in steps of about 1 MB, so the store does other work in between. A pass
/// removes the segments that are in no queue, counts and removes the events of erased users, deletes damaged files moved
/// aside earlier, and rewrites the file. The row of the state remains unclean until the pass is complete. If the process
/// ends earlier, the next start begins the pass again. The component is confined to the store's executor.
final class Cleaner {
    /// The maximum size of the segments deleted in one step, and the number of segments read in it.
    private static let step = (bytes: 1_000_000, segments: 1_024)

    /// A pass over the outbox.
    private struct Pass {
        /// The number of decisions when the pass began.
        let number: UInt64
        /// The outbox.
        ///
        /// If its file is replaced, a new pass begins, because the old file was moved aside.
        let outbox: Outbox
        var stage = Stage.quarantine
    }

    private enum Stage {
        case quarantine
        case segments(after: SegmentPlace?)
        case files
        case rewrite
        case end
    }

    private let state: DeliveryState
    private var pass: Pass?
    /// The number of decisions at the beginning of the last complete pass.
    private var completed: UInt64 = 0
    private var backoff = StorageBackoff()
    private var notBefore: MonotonicInstant?

    init(_ state: DeliveryState) {
        self.state = state
    }

    /// The due time of the next step, or `nil` if there is nothing to delete or the storage is unavailable.
    var due: MonotonicInstant? {
        let hasLeftovers = state.storage.outbox.hasLeftovers && state.storage.state.acceptsChanges
        // A refused decision is stored first.
        guard state.row.isUnclean || hasLeftovers, state.storage.state.isReadable, !state.storage.outbox.hasRefused
        else { return nil }
        return notBefore ?? MonotonicInstant(nanoseconds: .min)
    }

    /// Whether the bytes of all denied and erased events are deleted.
    ///
    /// - Parameter number: The number of decisions at the call.
    func isComplete(through number: UInt64) -> Bool { !state.row.isUnclean || completed >= number }

    /// Begins a pass again, because the file was closed.
    func startOver() { pass = nil }

    /// Makes the next step of a pass.
    ///
    /// - Throws: The storage error. The pass is tried again later.
    func clean() throws(OutboxError) {
        guard state.storage.state.isReadable else { throw state.storage.failure ?? .notOpen }
        let outbox = state.storage.outbox
        guard state.row.isUnclean || outbox.hasLeftovers else { return }
        guard !outbox.hasRefused else { throw state.storage.failure ?? .full }
        var current =
            pass.flatMap { $0.outbox === outbox ? $0 : nil } ?? Pass(number: state.row.number, outbox: outbox)
        do throws(OutboxError) {
            try prepareFiles(for: current.stage)
        } catch {
            // The queue file is sound, so the pass continues at this stage.
            (pass, notBefore) = (current, backoff.failed(error, at: state.buffer.clock.monotonicTime()))
            throw error
        }
        do throws(OutboxError) {
            switch current.stage {
            case .quarantine:
                try remove([], state.quarantine.events.filter { state.row.isErased($0.user, $0.decision) })
                current.stage = .segments(after: nil)
            case .segments(let place): current.stage = try removeSegments(after: place)
            case .files:
                try state.storage.delete { outbox throws(OutboxError) in try outbox.startRewrite() }
                current.stage = .rewrite
            case .rewrite:
                let isComplete = try state.storage.delete { outbox throws(OutboxError) in try outbox.rewriteStep() }
                if isComplete { current.stage = .end }
            case .end:
                try end(current)
                (pass, notBefore) = (nil, nil)
                return
            }
            // An earlier wait after an error stays. Otherwise the writer repeats the failed step, and the caller never
            // sees the error.
            pass = current
        } catch {
            pass = nil
            notBefore = backoff.failed(error, at: state.buffer.clock.monotonicTime())
            // A full disk has no space for the log of a step, but may take smaller changes.
            if error != .full { state.handle(error) }
            throw error
        }
    }

    /// Makes the changes of other files that a stage needs.
    private func prepareFiles(for stage: Stage) throws(OutboxError) {
        switch stage {
        case .quarantine, .segments, .rewrite: break
        case .files: try state.storage.removeDamaged()
        // Publish the denial or the erasure to extensions before its user is forgotten.
        case .end: try state.publishDecisions()
        }
    }

    private func removeSegments(after place: SegmentPlace?) throws(OutboxError) -> Stage {
        let page = try state.storage.outbox.summaries(lane: nil, after: place, limit: Cleaner.step.segments)
        let hasUnsaved = state.storage.outbox.hasUnsaved
        guard !page.isEmpty else {
            if !hasUnsaved { state.storage.outbox.hasLeftovers = false }
            // An event that only memory has deleted is still in the file.
            let isKept = !state.storage.outbox.unsaved.removedSegments.isEmpty
            guard state.row.erasing.isEmpty || !isKept else { throw state.storage.failure ?? .full }
            return state.row.isUnclean ? .files : .end
        }
        // A segment leaves the file only with the row of its lane, or after it.
        let rows = hasUnsaved ? state.storage.outbox.storedLanes.map { Array($0.values) } ?? [] : state.lanes.rows
        let starts = rows.keyed { ($0.number, $0.start) }
        var (gone, bytes, last) = ([SegmentSummary](), 0, place)
        for summary in page {
            let isGone = summary.place.number < starts[summary.place.lane] ?? 0
            if isGone || state.row.isErased(summary.user, summary.decision) {
                // The counts of erased events include the unsaved changes.
                if !isGone, hasUnsaved { throw state.storage.failure ?? .full }
                guard gone.isEmpty || bytes + summary.bytes <= Cleaner.step.bytes else { break }
                gone.append(summary)
                bytes += summary.bytes
            }
            last = summary.place
        }
        try remove(gone, [])
        return .segments(after: last)
    }

    /// Removes segments that are in no queue, and counts and removes the events of erased users.
    private func remove(_ segments: [SegmentSummary], _ quarantined: [QuarantinedEvent]) throws(OutboxError) {
        guard !segments.isEmpty || !quarantined.isEmpty else { return }
        var lanes = state.lanes
        let indices = lanes.indices.keyed { (lanes[$0].stored.number, $0) }
        var (change, lost, users) = (LaneChange(), [Int: Int](), [UserHash?: Int]())
        for summary in segments {
            change.outbox.remove(summary.place)
            guard let index = indices[summary.place.lane], summary.place.number >= lanes[index].stored.start else {
                continue
            }
            lanes[index].account(summary, sign: -1)
            // A damaged segment is counted by its records.
            if summary.count == 0 { lanes[index].stored.isDamaged = true }
            lost[index, default: 0] += summary.count
            users[summary.user, default: 0] += summary.count
        }
        let gone = Set(segments.map(\.place))
        for index in lost.keys {
            let batches = lanes[index].batches.filter { !gone.isDisjoint(with: $0.segments) }
            lanes[index].dissolve(batches, change: &change.outbox)
        }
        for event in quarantined {
            let index = lanes.index(of: event.lane)
            change.outbox.remove(event, lane: lanes[index].stored.number)
            lanes[index].stored.ledger.quarantined -= 1
            lost[index, default: 0] += 1
            users[event.user, default: 0] += 1
        }
        for (index, count) in lost.sorted(by: \.key) {
            lanes[index].stored.ledger.drop(count, .erased)
            change.outbox.save(lanes[index].stored)
            change.lose(count, .erased, on: lanes[index].id)
        }
        if lost.isEmpty {
            try state.storage.delete { outbox throws(OutboxError) in try outbox.delete(segments.map(\.place)) }
        } else {
            // These counts include the unsaved changes.
            if state.storage.outbox.hasUnsaved { throw state.storage.failure ?? .full }
            try state.storage.delete { outbox throws(OutboxError) in
                try outbox.commit(change.outbox, barrier: false)
            }
            state.lanes = lanes
            state.finishErasure(of: quarantined, change, touching: Set(lost.keys))
            for (user, count) in users { state.countErased(count, of: user) }
        }
        try state.storage.delete { outbox throws(OutboxError) in try outbox.emptyLog() }
    }

    /// Records that a pass is complete, unless a later denial or erasure needs another one.
    private func end(_ pass: Pass) throws(OutboxError) {
        completed = max(completed, pass.number)
        guard state.row.isUnclean else { return }
        var (row, change) = (state.row, OutboxChange())
        for (user, number) in row.erasing where number <= pass.number { row.erasing[user] = nil }
        row.isUnclean = state.lastCovering > pass.number
        change.save(row)
        state.storage.outbox.decide(change)
        try state.storage.commitDecisions()
        state.row = row
        state.buffer.withLanes { $0.privacy.pendingErasures = row.erasing.count }
        backoff.succeeded()
    }
}
