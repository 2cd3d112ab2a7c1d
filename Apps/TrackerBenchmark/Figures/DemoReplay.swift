import Foundation

/// The speed and memory of the demo while it replays a clickstream of 1,000,000 rows.
///
/// The memory's floor is a replay of 250,000 rows, which fills all bounded buffers. The demo's own collector receives
/// the events.
struct DemoReplay: Figure {
    private static let rate = Row("replay of 1,000,000 rows: rows", .perSecond)
    private static let memory = Row("replay of 1,000,000 rows: memory, against 250,000", .bytes, .timesFloor(1.25))
    private static let count = 1_000_000

    let rows = [rate, memory]
    let runs = RunCount.once

    func measure(_ setting: Setting) throws -> [Sample] {
        guard let demo = Tool(beside: "TrackerDemo") else {
            let note = "needs TrackerDemo beside the benchmark"
            return rows.map { Sample(row: $0.name, value: nil, note: note) }
        }
        // Run the smaller replay first, because the system reports the peak of all children so far.
        _ = try replay(Self.count / 4, by: demo, setting)
        let floor = ProcessUsage.peakMemoryOfChildren
        let time = try replay(Self.count, by: demo, setting)
        return [
            Sample(row: Self.rate.name, value: Double(Self.count) / time * 1e9),
            Sample(row: Self.memory.name, value: ProcessUsage.peakMemoryOfChildren, floor: floor),
        ]
    }

    private func replay(_ rows: Int, by demo: Tool, _ setting: Setting) throws -> Double {
        let path = "\(setting.directory)/\(rows).csv"
        let source = setting.options.clickstream
        try Clickstream.write(rows: rows, to: path, from: source)
        var code: Int32 = 0
        let time = try Stopwatch.measure {
            let arguments = ["--replay", path, "--queue", "\(setting.directory)/queue-\(rows)", "--json"]
            code = try demo.run(arguments).code
        }
        guard code == 0 else { throw BenchmarkError("the replay has ended with \(code)") }
        try FileManager.default.removeItem(atPath: path)
        return time
    }
}
