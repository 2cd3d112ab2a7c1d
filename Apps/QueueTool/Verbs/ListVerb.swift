import CoreTracker
import EventDelivery
import EventOutbox

/// The command `list`, which shows the queue and its lanes, with the counts of accepted, delivered, pending and dropped
/// events.
struct ListVerb {
    let reader: QueueReader
    let output: Output

    func run(_ arguments: QueueArguments) throws(ToolError) -> QueueExitCode {
        let summary = try reader.summary()
        let (now, refusal) = (QueueReader.now, summary.directory.refusal)
        if arguments.isJSON {
            output.print(json(summary, refusal, at: now))
        } else {
            output.print(summary.heading(at: now))
            if let refusal { output.print(refusal) }
            for line in table(summary.lanes, at: now) { output.print(line) }
        }
        return refusal == nil ? .success : .found
    }

    private func table(_ lanes: [LaneSummary], at now: StoredMoment) -> [String] {
        let heading = [
            "lane", "accepted", "delivered", "pending", "awaiting consent", "quarantined", "dropped", "waits for",
        ]
        let rows = lanes.map { lane in
            let counts = [
                lane.ledger.accepted, lane.ledger.delivered, lane.pending, lane.awaitingConsent,
                lane.ledger.quarantined,
                lane.ledger.droppedTotal,
            ]
            return [lane.id.description.printable] + counts.map(\.grouped) + [lane.waitsFor(at: now) ?? "–"]
        }
        let widths = heading.indices.map { column in ([heading] + rows).map { $0[column].count }.max() ?? 0 }
        return ([heading] + rows).map { row in
            row.enumerated().map { column, cell in
                if column == row.count - 1 { return cell }
                let blanks = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + blanks : blanks + cell
            }.joined(separator: "  ")
        }
    }

    private func json(_ summary: DirectorySummary, _ refusal: String?, at now: StoredMoment) -> JSONWriter {
        var json = JSONWriter()
        json.beginObject()
        json.member("directory", .string(summary.directory.name))
        json.key("files")
        json.beginArray()
        if let queue = summary.queue {
            json.beginObject()
            json.member("name", .string(queue.file.name))
            json.member("bytes", .int(queue.bytes))
            json.member("asOf", .string(queue.copied.time.rfc3339))
            if let owner = queue.owner { json.member("owner", .int(Int(owner))) }
            if let obstacle = queue.obstacle { json.member("obstacle", .string(obstacle.explanation)) }
            json.endObject()
        }
        json.endArray()
        if let refusal { json.member("refusal", .string(refusal)) }
        json.member("moveAside", .array(summary.directory.moveAside.map { .string($0) }))
        json.key("lanes")
        json.beginArray()
        for lane in summary.lanes { lane.write(to: &json, at: now) }
        json.endArray()
        json.endObject()
        return json
    }
}

extension DirectorySummary {
    /// Returns the first line: the queue file and the process that uses it.
    func heading(at now: StoredMoment) -> String {
        var text = "\(directory.name): \(plural(queue == nil ? 0 : 1, "file")), \((queue?.bytes ?? 0).megabytes), "
        if let queue, let owner = queue.owner {
            let milliseconds = queue.copied.duration / Duration.milliseconds(1)
            let time = queue.copied.time.text(on: now.wall)
            text += "in use by process \(owner)"
            text += "; as of \(time.prefix { $0 != "." }), from a copy (\(Int(milliseconds)) ms)"
        } else {
            text += "not in use"
        }
        if let lost = queue?.lost, lost > 0 { text += "; \(plural(lost, "event")) lost to damage" }
        if !directory.moveAside.isEmpty {
            text +=
                "; \(plural(directory.moveAside.count, "damaged file")) moved aside, such as \(directory.moveAside[0])"
        }
        return text
    }
}

extension LaneSummary {
    /// Returns a short description of the reason for which the lane waits, or `nil` if it does not wait.
    func waitsFor(at now: StoredMoment) -> String? {
        let statistics = statistics(at: now)
        if case .foreign = statistics.storageFailure { return "the directory, which an engine refuses" }
        if statistics.storageFailure != nil { return "space on the disk" }
        if !statistics.hasDestination { return "a destination" }
        if statistics.consent != .granted {
            let consent = "consent to \(stored.purpose)"
            return statistics.consent == .denied ? "\(consent), which is denied" : consent
        }
        let left = statistics.nextAttempt.map { $0 > .zero ? ", \($0.inOneUnit)" : ", over" } ?? ""
        switch retryState(at: now).reason {
        case .paused(let cause): return "\(cause.rawValue)\(left)"
        case .backoff: return "its back-off\(left)"
        case .retryAfter: return "the receiver's wait\(left)"
        case nil: return statistics.lastFailure?.kind == .clock ? "nothing, but the clock is wrong" : nil
        }
    }

    /// Writes the lane as a JSON object.
    func write(to json: inout JSONWriter, at now: StoredMoment) {
        let statistics = statistics(at: now)
        json.beginObject()
        json.member("lane", .string(id.description))
        json.member("accepted", .int(ledger.accepted))
        json.member("delivered", .int(ledger.delivered))
        json.member("pending", .int(pending))
        json.member("awaitingConsent", .int(awaitingConsent))
        json.member("quarantined", .int(ledger.quarantined))
        json.member("dropped", .object(LaneSummary.counts(ledger.dropped.map { ($0.key.name, $0.value) })))
        json.member("repaired", .object(LaneSummary.counts(ledger.adjusted.map { ($0.key, $0.value) })))
        json.member("bytes", .int(stored.counts.bytes))
        if let cause = statistics.explanation { json.member("cause", .string(cause)) }
        if let reason = stored.retryState.reason.nonEmpty { json.member("waitsFor", .string(reason)) }
        if let next = statistics.nextAttempt { json.member("nextAttemptSeconds", .int(Int(next.components.seconds))) }
        if let oldest = oldest { json.member("oldestStored", .string(oldest.wall.rfc3339)) }
        if let success = stored.receiver.lastSuccess { json.member("lastSuccess", .string(success.rfc3339)) }
        if let failure = statistics.lastFailure {
            json.member(
                "lastFailure",
                .object([
                    "time": .string(failure.time.rfc3339), "kind": .string(failure.kind.rawValue),
                    "status": .int(failure.status ?? 0), "code": .string(failure.code),
                    "answer": .string(failure.response),
                ])
            )
        }
        json.endObject()
    }

    private static func counts(_ counts: [(String, Int)]) -> EventParameters {
        EventParameters(counts.sorted { $0.0 < $1.0 }.map { (ParameterKey($0.0), .int($0.1)) })
    }
}

extension String {
    /// The text, or `nil` if it is empty.
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
