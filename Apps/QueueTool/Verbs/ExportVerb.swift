import CoreTracker
import EventDelivery
import EventOutbox

/// The command `export`, which writes each stored event with its body as a line of JSON.
struct ExportVerb {
    let reader: QueueReader
    let output: Output

    func run(_ choice: QueueArguments.Choice) throws(ToolError) -> QueueExitCode {
        var written = 0
        var json = JSONWriter()
        if let queue = try reader.open() {
            for lane in queue.lanes where choice.lane == nil || lane.stored.id == choice.lane {
                _ = try reader.reading(queue) { () throws(OutboxError) in
                    try queue.forEachEvent(of: lane, state: choice.state) { event in
                        json.reset()
                        event.write(to: &json, body: true)
                        output.print(json)
                        written += 1
                        output.progress("wrote \(written.grouped) events")
                        return true
                    }
                }
            }
        }
        return .success
    }
}
