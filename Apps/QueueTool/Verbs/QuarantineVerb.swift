import CoreTracker
import EventDelivery
import EventOutbox

/// The command `quarantine`, which lists refused events, queues them again or drops them.
struct QuarantineVerb {
    let reader: QueueReader
    let output: Output

    func run(
        _ action: QueueArguments.QuarantineAction,
        _ choice: QueueArguments.Choice,
        _ arguments: QueueArguments
    ) throws(ToolError) -> QueueExitCode {
        let queue = action == .list || !arguments.isConfirmed ? try reader.open() : nil
        let chosen = choice.events(in: queue?.quarantined ?? [])
        switch action {
        case .list:
            let lanes = queue?.lanes.map(\.stored.id) ?? []
            let isObstructed = queue?.obstacle != nil  // the reader has printed the cause
            if let lane = choice.lane, !lanes.contains(lane) { throw reader.directory.missing(lane, of: lanes) }
            for event in chosen { show(event, arguments) }
            if chosen.isEmpty, !isObstructed, !arguments.isJSON {
                output.print(choice.isEmpty ? "no event is in quarantine" : "no quarantined event matches")
            }
            let isComplete = reportMissing(from: choice, found: chosen.count)
            return chosen.isEmpty && !isObstructed && isComplete ? .success : .found
        case .retry, .discard:
            let changes =
                arguments.isConfirmed
                ? try QueueEditor(directory: reader.directory).change(action, choice) : try changes(chosen)
            let isComplete = reportMissing(from: choice, found: changes.reduce(0) { $0 + $1.events })
            let code = report(action, changes, arguments)
            return isComplete ? code : .found
        }
    }

    /// Reports how many of the chosen ids are of no quarantined event.
    ///
    /// Returns whether there are none.
    private func reportMissing(from choice: QueueArguments.Choice, found: Int) -> Bool {
        let missing = Set(choice.ids).count - found
        guard missing > 0 else { return true }
        output.log("\(missing) of the ids \(missing == 1 ? "is" : "are") of no quarantined event")
        return false
    }

    private func changes(_ events: [QuarantinedEvent]) throws(ToolError) -> [QueueEditor.Change] {
        let summary = try reader.summary()
        return try Dictionary(grouping: events, by: \.lane).sorted { $0.key < $1.key }
            .map { ($0.key, $0.value.count) }
            .map { lane, count throws(ToolError) in
                let lane = try summary.lane(lane)
                return QueueEditor.Change(
                    lane: lane.id,
                    events: count,
                    quarantined: lane.ledger.quarantined,
                    pending: lane.pending
                )
            }
    }

    private func report(
        _ action: QueueArguments.QuarantineAction,
        _ changes: [QueueEditor.Change],
        _ arguments: QueueArguments
    ) -> QueueExitCode {
        let isDone = arguments.isConfirmed
        if arguments.isJSON {
            var json = JSONWriter()
            json.object([
                "action": .string(action.rawValue), "done": .bool(isDone),
                "events": .int(changes.reduce(0) { $0 + $1.events }),
                "lanes": .array(changes.map { ["lane": .string($0.lane.description), "events": .int($0.events)] }),
            ])
            output.print(json)
        } else if changes.isEmpty {
            output.print("no quarantined event matches; nothing was changed")
        }
        for change in changes where !arguments.isJSON {
            let (before, after) = (change.quarantined, change.quarantined - change.events)
            let verb = action == .retry ? (isDone ? "moved" : "would move") : (isDone ? "discarded" : "would discard")
            let target = action == .retry ? "to the end of" : "of"
            var line = "\(verb) \(plural(change.events, "event")) \(target) \(change.lane): "
            line += "quarantined \(before.grouped) → \(after.grouped)"
            if action == .retry {
                line += ", pending \(change.pending.grouped) → \((change.pending + change.events).grouped)"
            }
            output.print(isDone ? line : line + "; use --yes to do it")
        }
        return changes.isEmpty ? .found : .success
    }

    private func show(_ event: QuarantinedEvent, _ arguments: QueueArguments) {
        let stored = StoredEvent(event)
        guard !arguments.isJSON else {
            var json = JSONWriter()
            stored.write(to: &json, body: arguments.showsBodies)
            return output.print(json)
        }
        let time = event.time.text(on: QueueReader.now.wall)
        let name = stored.name ?? "–"
        output.print(
            "\(event.id)  \(event.lane)  \(name), refused \(time): \(event.reason)"
        )
        if !event.response.isEmpty { output.print("  response  \(event.response)") }
        if arguments.showsBodies {
            output.print("  body      \(String(decoding: event.fragment, as: UTF8.self))")
        }
    }
}

extension QueueArguments.Choice {
    /// Returns the selected quarantined events of a queue.
    func events(in quarantined: [QuarantinedEvent]) -> [QuarantinedEvent] {
        let ids = Set(ids)
        return quarantined.filter { event in
            (lane == nil || event.lane == lane) && (ids.isEmpty || ids.contains(event.id))
                && (reason.map { begins($0, in: event.reason) } ?? true)
        }
    }

    /// Whether a reason, or the receiver's code after the status, begins with a text.
    private func begins(_ text: String, in reason: String) -> Bool {
        reason.hasPrefix(text) || reason.firstRange(of: ", ").map { reason[$0.upperBound...].hasPrefix(text) } == true
    }
}
