import CoreTracker
import EventDelivery
import EventOutbox

/// The command `export`, which writes each stored event with its body as a line of JSON.
struct ExportVerb {
    let reader: QueueReader
    let output: Output

    func run(_ choice: QueueArguments.Choice) throws(ToolError) -> QueueExitCode {
        let queue = try reader.open()
        let lanes = queue?.lanes ?? []
        if let lane = choice.lane, !lanes.contains(where: { $0.stored.id == lane }) {
            throw reader.directory.missing(lane, of: lanes.map(\.stored.id))
        }
        var (written, damaged) = (0, 0)
        var json = JSONWriter()
        if let queue {
            for lane in lanes where choice.lane == nil || lane.stored.id == choice.lane {
                damaged += try reader.reading(queue) { () throws(OutboxError) in
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
        if damaged > 0 {
            let are = damaged == 1 ? "is" : "are"
            output.log("\(plural(damaged, "event")) \(are) damaged; use verify to see the damage")
        }
        return damaged > 0 || queue?.obstacle != nil ? .found : .success
    }
}
