import EventDeliveryAPI
import EventOutbox

/// A component that deletes the bytes of denied and erased events.
///
/// It works in passes over the whole outbox, in steps of about 1 MB, so the store does other work in between. A pass
/// also deletes damaged files moved aside earlier, and rewrites the file. The decision number of the pass stays in the
/// outbox until the pass is complete. If the process ends earlier, the next start begins the pass again. The component
/// is confined to the store's executor.
final class EventDeletion {
    /// The maximum size of the segments deleted in one step, and the number of segments read in it.
    private static let step = (bytes: 1_000_000, segments: 256)

    /// A pass over the outbox.
    private struct Pass {
        /// The decision number of the last denial or erasure when the pass began.
        let number: UInt64
        /// The outbox.
        ///
        /// If its file is replaced, a new pass begins, because the old file was moved aside.
        let outbox: Outbox
        var stage = Stage.segments(after: nil)
    }

    private enum Stage {
        case segments(after: SegmentPlace?)
        case files
        case rewrite
        case end
    }

    private let state: DeliveryState
    private var pass: Pass?
    /// The decision number of the last complete pass.
    private var completed: UInt64 = 0
    private var backoff = StorageBackoff()
    private var notBefore: MonotonicInstant?

    init(_ state: DeliveryState) {
        self.state = state
    }

    /// The due time of the next step, or `nil` if no deletion is pending or the storage is unavailable.
    var due: MonotonicInstant? {
        guard state.privacy.state.scrub > 0, state.storage.state.isReadable else { return nil }
        return notBefore ?? MonotonicInstant(nanoseconds: .min)
    }

    /// Whether the bytes of all denied and erased events are deleted.
    ///
    /// - Parameter number: The decision number of the denial or the erasure, in the stored form.
    func isComplete(through number: UInt64) -> Bool {
        state.privacy.state.scrub == 0 || completed >= number
    }

    /// Begins a pass again, because the file was closed.
    func startOver() { pass = nil }

    /// Makes the next step of a pass.
    ///
    /// - Throws: The storage error. The pass is tried again later.
    func deleteStep() throws(OutboxError) {
        let number = state.privacy.state.scrub
        guard number > 0 else { return }
        guard state.storage.state.isReadable else { throw state.storage.failure ?? .notOpen }
        let outbox = state.storage.outbox
        var current = pass.flatMap { $0.outbox === outbox ? $0 : nil } ?? Pass(number: number, outbox: outbox)
        do throws(OutboxError) {
            try prepareFiles(for: current.stage)
        } catch {
            // The queue file is sound, so the pass continues at this stage.
            (pass, notBefore) = (current, backoff.failed(error, at: state.buffer.clock.monotonicTime()))
            throw error
        }
        do throws(OutboxError) {
            switch current.stage {
            case .segments(let place): current.stage = try deleteSegments(after: place)
            case .files:
                try state.storage.delete { outbox throws(OutboxError) in try outbox.startRewrite() }
                current.stage = .rewrite
            case .rewrite:
                let isComplete = try state.storage.delete { outbox throws(OutboxError) in try outbox.rewriteStep() }
                if isComplete { current.stage = .end }
            case .end:
                try end(current)
                pass = nil
                return
            }
            (pass, notBefore) = (current, nil)
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
        case .segments, .rewrite: break
        case .files: try state.storage.removeDamaged()
        // Publish the denial or the erasure to extensions before its row is removed.
        case .end: try state.publishDecisions()
        }
    }

    private func deleteSegments(after place: SegmentPlace?) throws(OutboxError) -> Stage {
        let outbox = state.storage.outbox
        // The file still contains the events whose removal the disk has refused.
        let page = try outbox.summaries(lane: nil, after: place, isComplete: true, limit: EventDeletion.step.segments)
        guard !page.isEmpty else { return .files }
        let voids = Dictionary(state.lanes.rows.map { ($0.number, $0.void) }) { first, _ in first }
        var (change, bytes, last) = (OutboxChange(), 0, place)
        for summary in page {
            let isVoid = summary.decision < voids[summary.place.lane] ?? 0
            if isVoid || state.privacy.isErased(summary.user, summary.decision) {
                guard change.isEmpty || bytes + summary.bytes <= EventDeletion.step.bytes else {
                    break
                }
                change.remove(summary.place)
                bytes += summary.bytes
            }
            last = summary.place
        }
        if !change.isEmpty {
            try state.storage.commitDecision(change) { _ in change }
            try state.storage.delete { outbox throws(OutboxError) in try outbox.emptyLog() }
        }
        return .segments(after: last)
    }

    /// Records that a pass is complete, unless a later denial or erasure needs another one.
    private func end(_ pass: Pass) throws(OutboxError) {
        var (rows, change) = (state.privacy, OutboxChange())
        let done = rows.erasures.filter { $0.number <= pass.number }
        rows.erasures.removeAll { $0.number <= pass.number }
        if rows.state.scrub == pass.number { rows.state.scrub = 0 }
        rows.state.erasures = rows.erasures.count
        for erasure in done { change.remove(erasure) }
        change.save(rows.state)
        var lanes = state.lanes.queues
        for index in lanes.indices where lanes[index].stored.void > 0 && lanes[index].stored.void <= pass.number {
            lanes[index].stored.void = 0
            change.save(lanes[index].stored)
        }
        try state.storage.commitDecision(change, barrier: true) { file throws(OutboxError) in
            var part = change
            for var lane in try file.storedRows().lanes where !lane.isDamaged && (1...pass.number).contains(lane.void) {
                lane.void = 0
                part.save(lane)
            }
            return part
        }
        state.use(lanes, rows)
        completed = max(completed, pass.number)
        backoff.succeeded()
    }
}
