import CoreTracker
import EventDelivery
import EventOutbox

/// The command `explain`, which shows the status of an event and its reason.
struct ExplainVerb {
    let reader: QueueReader
    let output: Output

    func run(_ id: EventID, _ arguments: QueueArguments) throws(ToolError) -> QueueExitCode {
        var found: StoredEvent?
        var read = 0
        if let queue = try reader.open() {
            for lane in queue.lanes where found == nil {
                _ = try reader.reading(queue) { () throws(OutboxError) in
                    try queue.forEachEvent(of: lane) { event in
                        read += 1
                        output.progress("read \(read.grouped) events")
                        if event.id == id { found = event }
                        return found == nil
                    }
                }
            }
        }
        guard let event = found else {
            let owner = reader.directory.owner.map { "; events in the memory of process \($0) are not shown" }
            output.log(
                "\(id): the queue has no such event; it was delivered, dropped or tracked elsewhere\(owner ?? "")"
            )
            return .found
        }
        if arguments.isJSON {
            var json = JSONWriter()
            event.write(to: &json, body: arguments.showsBodies, cause: try cause(of: event))
            output.print(json)
        } else {
            for line in try lines(event) { output.print(line) }
            if arguments.showsBodies {
                output.print("  body          \(String(decoding: event.fragment, as: UTF8.self))")
            }
        }
        return .success
    }

    /// The cause for which an event's lane waits, if there is one.
    private func cause(of event: StoredEvent) throws(ToolError) -> String? {
        if case .quarantined = event.state { return nil }
        return try reader.summary().lane(event.lane).statistics(at: QueueReader.now).explanation
    }

    private func lines(_ event: StoredEvent) throws(ToolError) -> [String] {
        let now = QueueReader.now
        var heading = "\(event.name ?? "an event"), \(event.lane)"
        if let number = event.number { heading += ", sequence number \(number)" }
        var rows = [(event.tracked.text(on: now.wall), "tracked")]
        if let stored = event.stored { rows.append((stored.text(on: now.wall), "stored")) }
        switch event.state {
        case .queued(let batch):
            if let batch { rows.append(("batch", "\(batch.id): \(batch.attempts.attemptsText)")) }
            rows.append(("cause", try cause(of: event) ?? "no problem: it waits for its turn"))
        case .awaitingConsent:
            rows.append(("cause", try cause(of: event) ?? "it waits for consent"))
        case .quarantined(let refused):
            rows.append((refused.time.text(on: now.wall), "quarantined: \(refused.reason)"))
            if !refused.response.isEmpty { rows.append(("response", refused.response)) }
            rows.append(("next", "quarantine retry \(event.id), or discard"))
        }
        let width = max(12, rows.map(\.0.count).max() ?? 0)
        return [heading] + rows.map { "  \($0.0.padded(to: width))  \($0.1)" }
    }
}
