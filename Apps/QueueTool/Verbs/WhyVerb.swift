import CoreTracker
import EventDelivery
import EventOutbox

/// The command `why`, which shows why events of a lane wait and how to solve the problem.
///
/// Without a lane, it shows all lanes with a problem.
struct WhyVerb {
    let reader: QueueReader
    let output: Output

    func run(_ id: LaneID?, _ arguments: QueueArguments) throws(ToolError) -> QueueExitCode {
        let summary = try reader.summary()
        let now = QueueReader.now
        let lanes: [LaneSummary]
        if let id { lanes = [try summary.lane(id)] } else { lanes = summary.lanes }
        let causes = lanes.filter { $0.statistics(at: now).explanation != nil }
        let shown = id == nil ? causes : lanes
        let refusal = summary.directory.refusal
        let isObstructed = summary.queue?.obstacle != nil  // the reader has printed the cause
        if arguments.isJSON {
            var json = JSONWriter()
            json.beginArray()
            for lane in shown { lane.write(to: &json, at: now) }
            json.endArray()
            output.print(json)
            if let refusal { output.log(refusal) }
        } else {
            if let refusal { output.print(refusal) }
            if reader.directory.owner != nil { output.print(summary.heading(at: now)) }
            for lane in shown { for line in lines(lane, of: summary, at: now) { output.print(line) } }
            let isSound = shown.isEmpty && !isObstructed && refusal == nil
            if isSound { output.print("\(summary.directory.name): no lane has a problem") }
        }
        return causes.isEmpty && !isObstructed && refusal == nil ? .success : .found
    }

    private func lines(_ lane: LaneSummary, of summary: DirectorySummary, at now: StoredMoment) -> [String] {
        let statistics = lane.statistics(at: now)
        var heading = "\(lane.id): \(lane.pending.grouped) pending"
        if lane.awaitingConsent > 0 { heading += ", of which \(lane.awaitingConsent.grouped) awaiting consent" }
        heading += ", \(plural(lane.stored.counts.bytes, "byte"))"
        if let age = statistics.oldestQueuedAge { heading += ", oldest \(age.inOneUnit)" }
        heading += "; \(lane.ledger.quarantined.grouped) quarantined, "
        heading += "\(lane.ledger.droppedTotal.grouped) dropped"
        var rows = [("cause", statistics.explanation ?? "no problem")]
        rows.append(("waits", waits(lane, statistics, of: summary, at: now)))
        if let (batch, events) = lane.next {
            rows.append(("next", "batch \(batch.id): \(plural(events, "event")), \(batch.attempts.attemptsText)"))
        }
        rows += last(lane, statistics, at: now)
        for (reason, count) in lane.ledger.dropped.sorted(by: { $0.key.name < $1.key.name }) {
            rows.append(("dropped", "\(count.grouped) \(reason)"))
        }
        return [heading] + rows.map { "  \($0.0.padded(to: 8)) \($0.1)" }
    }

    private func waits(
        _ lane: LaneSummary,
        _ statistics: LaneStatistics,
        of summary: DirectorySummary,
        at now: StoredMoment
    ) -> String {
        let retryState = lane.retryState(at: now)
        let (isOver, inUse) = (statistics.nextAttempt == .zero, reader.directory.owner != nil)
        if case .foreign = statistics.storageFailure { return "for the directory, which an engine refuses" }
        let rest = statistics.nextAttempt.map { "\($0.inOneUnit) left" } ?? ""
        let process = inUse ? "its process" : "the next process that opens the queue"
        let end = isOver ? "the wait is over, and \(process) tries again" : rest
        switch retryState.reason {
        case .backoff: return "backing off after \(plural(retryState.failures, "failure")) in a row; \(end)"
        case .retryAfter: return "for the time that the receiver requested; \(end)"
        case .paused: return "paused, with occasional attempts; \(end)"
        case nil where lane.awaitingConsent > 0: return "for consent to \(lane.stored.purpose)"
        case nil where lane.pending > 0:
            return inUse ? "for its turn: its process sends it" : "for a process that opens the queue"
        case nil: return "for nothing"
        }
    }

    private func last(_ lane: LaneSummary, _ statistics: LaneStatistics, at now: StoredMoment) -> [(String, String)] {
        var last = ""
        if let failure = statistics.lastFailure {
            let status = failure.status.map { "status \($0)" }
            last =
                ([failure.time.text(on: now.wall)] + [status, failure.code].compactMap { $0 })
                .filter { !$0.isEmpty }.joined(separator: ", ") + "; "
        }
        last +=
            lane.stored.receiver.lastSuccess.map { "last acknowledged \($0.text(on: now.wall))" }
            ?? "never acknowledged since this queue was created"
        let response = statistics.lastFailure?.response ?? ""
        return [("last", last)] + (response.isEmpty ? [] : [("response", response)])
    }
}
