import CoreTracker
import EventDelivery
import EventOutbox

/// The command `purge`, which deletes and counts all stored events of a lane.
struct PurgeVerb {
    let reader: QueueReader
    let output: Output

    func run(_ id: LaneID, _ arguments: QueueArguments) throws(ToolError) -> QueueExitCode {
        let lane = try reader.summary().lane(id)
        if arguments.isConfirmed { try QueueEditor(directory: reader.directory).purge(id) }
        let counts = (
            pending: lane.pending, awaitingConsent: lane.awaitingConsent, quarantined: lane.ledger.quarantined
        )
        if arguments.isJSON {
            var json = JSONWriter()
            json.object([
                "lane": .string(id.description), "done": .bool(arguments.isConfirmed), "pending": .int(counts.pending),
                "awaitingConsent": .int(counts.awaitingConsent), "quarantined": .int(counts.quarantined),
            ])
            output.print(json)
            return .success
        }
        let events =
            "\(counts.pending.grouped) pending\(counts.awaitingConsent > 0 ? ", of which \(counts.awaitingConsent.grouped) awaiting consent," : "") and "
            + "\(plural(counts.quarantined, "quarantined event"))"
        let bytes = lane.stored.counts.bytes.megabytes
        let selection = "\(events) of \(id) (the pending events have \(bytes))"
        output.print(
            arguments.isConfirmed
                ? "deleted \(selection), counted as discarded"
                : "would delete \(selection), and count them as discarded; use --yes=\(id) to do it"
        )
        if let left = reader.directory.moveAside.first {
            output.log(
                "damaged files that were moved aside, such as \(left), may contain more of the lane's events: "
                    + "delete them yourself"
            )
        }
        return .success
    }
}
