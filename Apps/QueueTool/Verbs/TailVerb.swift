import CoreTracker
import EventDelivery
import EventOutbox
import Foundation

/// The command `tail`, which shows the last stored events in the order in which they were tracked.
struct TailVerb {
    private static let interval: Duration = .seconds(1)
    /// The maximum number of events shown at once when following.
    private static let maximumNewEvents = 1_000
    let reader: QueueReader
    let output: Output

    func run(_ lane: LaneID?, _ arguments: QueueArguments) throws(ToolError) -> QueueExitCode {
        if let lane { _ = try reader.summary().lane(lane) }
        var (reader, newest, limit) = (reader, EventID?.none, arguments.count)
        while true {
            let start = ContinuousClock.now
            let status = reader.directory.file?.status
            newest = try show(reader, lane, arguments, limit: limit, after: newest) ?? newest
            limit = TailVerb.maximumNewEvents
            guard arguments.follows else { return .success }
            output.flush()
            // A large queue takes longer to copy, so it is copied less often.
            let pause = max(TailVerb.interval, start.duration(to: .now) * 10)
            repeat {
                usleep(UInt32(clamping: pause.components.seconds * 1_000_000))
                reader = QueueReader(directory: try QueueDirectory(arguments.directory), output: output)
            } while reader.directory.file?.status == status
        }
    }

    /// Shows the last events, or the events after the last shown one.
    ///
    /// Returns the newest one.
    private func show(
        _ reader: QueueReader,
        _ lane: LaneID?,
        _ arguments: QueueArguments,
        limit: Int,
        after shown: EventID?
    ) throws(ToolError) -> EventID? {
        var events: [StoredEvent] = []
        if let queue = try reader.open() {
            for own in queue.lanes where lane == nil || own.stored.id == lane {
                events += try reader.reading(queue) { () throws(OutboxError) in
                    try queue.lastEvents(of: own, limit: limit)
                }
            }
        }
        if let shown { events.removeAll { $0.id <= shown } }
        events = events.sorted { $0.id < $1.id }.suffix(limit)
        write(events, arguments, showsLane: lane == nil)
        return events.last?.id
    }

    private func write(_ events: [StoredEvent], _ arguments: QueueArguments, showsLane: Bool) {
        let now = QueueReader.now.wall
        let names = events.map { ($0.name ?? "–").printable }
        let width = max(20, names.map(\.count).max() ?? 0)
        let laneWidth = events.map { $0.lane.description.printable.count }.max() ?? 0
        for (event, name) in zip(events, names) {
            if arguments.isJSON {
                var json = JSONWriter()
                event.write(to: &json, body: arguments.showsBodies)
                output.print(json)
                continue
            }
            let lane = showsLane ? event.lane.description.printable.padded(to: laneWidth) + "  " : ""
            let time = event.tracked.text(on: now)
            output.print("\(time)  \(event.id)  \(lane)\(name.padded(to: width))  \(event.stateText)")
            if arguments.showsBodies { output.print("  " + String(decoding: event.fragment, as: UTF8.self)) }
        }
    }
}
