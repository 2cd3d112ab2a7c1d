import CoreTracker
import EventTracking
import Locks

/// An observer that writes the lines of an engine's log: the causes of waiting and lost events, and diagnostics.
final class DeliveryLogger: EngineObserver {
    let isDetailed: Bool
    private let log: DeliveryLog
    private let clock: any DeliveryClock
    private let causes = Mutex(CauseTable())

    init(_ log: DeliveryLog, isDetailed: Bool, clock: any DeliveryClock) {
        (self.log, self.isDetailed, self.clock) = (log, isDetailed, clock)
    }

    func look(
        at lanes: [LaneStatistics],
        _ notes: [EngineNote],
        isFinal: Bool
    ) -> (due: MonotonicInstant?, hasCauses: Bool) {
        let now = clock.monotonicTime()
        let (lines, next) = causes.withLock { causes in
            var lines = causes.update(
                lanes.map { ($0.id, $0.loggedCauses) },
                refusals: DeliveryLogger.refusals(in: notes),
                unseen: Set(lanes.filter(\.isFailureOfEarlierRun).map(\.id)),
                at: now,
                isFinal: isFinal
            )
            if isFinal { lines += CauseTable.notices(lanes.map { ($0.id, $0.kept) }) }
            let notes = notes.compactMap { line($0, &causes, at: now) }
            let ages = lanes.compactMap(\.requestAge).filter { $0 < LaneStatistics.patience }
            let late = ages.max().map { now.advanced(by: LaneStatistics.patience - $0) }
            let due = [causes.due, late].compactMap(\.self).min()
            return (notes + lines, (due: due, hasCauses: causes.hasCauses))
        }
        for line in lines { log.output(line) }
        return next
    }

    /// Returns the status of the last event of each lane that went to quarantine.
    ///
    /// A code of the receiver is no status, and may quote the event.
    private static func refusals(in notes: [EngineNote]) -> [LaneID: String] {
        var refusals: [LaneID: String] = [:]
        for case .diagnostic(.quarantined(let lane, _, let reason)) in notes where reason.hasPrefix("status ") {
            refusals[lane] = reason
        }
        return refusals
    }

    /// Returns the line of a note, if it has one.
    private func line(_ note: EngineNote, _ causes: inout CauseTable, at now: MonotonicInstant) -> DeliveryLog.Entry? {
        switch note {
        case .diagnostic(let diagnostic):
            guard let cause = diagnostic.incident else { return nil }
            // The default is to send, so the app may intend it.
            guard case .consentAssumed = diagnostic else {
                return causes.report(cause, of: diagnostic.incidentLane, at: now)
            }
            return debug(nil, cause.name, cause.description)
        case .tracked(let lane, let name): return debug(lane, "tracked", "tracked \(name)")
        case .requested(let lane, let count, let receiver, let result, let duration):
            let place = receiver.isEmpty ? "" : " to \(receiver)"
            let (events, time) = (count == 1 ? "1 event" : "\(count) events", duration.nanoseconds / 1_000_000)
            return debug(lane, "request", "a request\(place) with \(events): \(result) after \(time) ms")
        case .missed(let count):
            return debug(nil, "missed", "\(count) notes are missing, because they came too fast")
        }
    }

    private func debug(_ lane: LaneID?, _ code: String, _ message: String) -> DeliveryLog.Entry? {
        isDetailed ? DeliveryLog.Entry(.debug, lane.map { [$0] } ?? [], code: code, message) : nil
    }
}
