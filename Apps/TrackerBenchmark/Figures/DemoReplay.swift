import Foundation
import LoopbackCollector

/// The speed and memory of the demo while it replays a clickstream of 1,000,000 rows.
///
/// The memory's floor is a replay of 250,000 rows, which fills all bounded buffers. The demo's own collector receives
/// the events and checks them. For the rate of the last row, a receiver in this process only counts requests.
struct DemoReplay: Figure {
    private static let rate = Row("replay of 1,000,000 rows: rows", .perSecond, .atLeast(60_000))
    private static let memory = Row("replay of 1,000,000 rows: memory, against 250,000", .bytes, .timesFloor(1.25))
    private static let counted = Row("replay to a receiver that only counts: rows", .perSecond, .atLeast(60_000))
    private static let count = 1_000_000

    let rows = [rate, memory, counted]
    let runs = RunCount.once
    let drivesPrograms = true

    func measure(_ setting: Setting) throws -> [Sample] {
        guard let demo = Tool(beside: "TrackerDemo") else {
            let note = "needs TrackerDemo beside the benchmark"
            return rows.map { Sample(row: $0.name, value: nil, note: note) }
        }
        // Run the smaller replay first, because the system reports the peak of all children so far.
        _ = try replay(Self.count / 4, by: demo, setting)
        let floor = ProcessUsage.peakMemoryOfChildren
        let time = try replay(Self.count, by: demo, setting)
        let memory = ProcessUsage.peakMemoryOfChildren
        let receiver = try LoopbackCollector(services: [], retention: .idsOnly)
        defer { receiver.close() }
        let counted = try replay(Self.count / 4, by: demo, to: receiver, setting)
        return [
            Sample(row: Self.rate.name, value: Double(Self.count) / time * 1e9),
            Sample(row: Self.memory.name, value: memory, floor: floor),
            Sample(row: Self.counted.name, value: Double(Self.count / 4) / counted * 1e9),
        ]
    }

    private func replay(
        _ rows: Int,
        by demo: Tool,
        to receiver: LoopbackCollector? = nil,
        _ setting: Setting
    ) throws -> Double {
        let path = "\(setting.directory)/rows.csv"
        let queue = "\(setting.directory)/queue"
        let source = setting.options.clickstream
        try Clickstream.write(rows: rows, to: path, from: source)
        let endpoints = receiver.map { receiver in
            ["--firebase-endpoint", "--awesome-endpoint"].flatMap { [$0, "http://127.0.0.1:\(receiver.port)"] }
        }
        let time = try demo.measure(["--replay", path, "--queue", queue, "--json"] + (endpoints ?? []))
        for file in [path, queue] { try FileManager.default.removeItem(atPath: file) }
        return time
    }
}

/// A generator of clickstream files with the REES46 columns.
enum Clickstream {
    private static let header =
        "event_time,event_type,product_id,category_id,category_code,brand,price,user_id,user_session\n"
    private static let chunk = 1 << 20

    /// Writes a file with a number of rows, repeated from another file or generated.
    static func write(rows: Int, to path: String, from source: String?) throws {
        let lines = try source.map(lines(of:))
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw BenchmarkError("\(path) cannot be written") }
        var text = Data((lines?.header ?? header).utf8)
        for row in 0..<rows {
            if let lines { text += lines.rows[row % lines.rows.count] } else { text += Data(made(row).utf8) }
            guard text.count >= chunk else { continue }
            try file.write(contentsOf: text)
            text.removeAll(keepingCapacity: true)
        }
        try file.write(contentsOf: text)
        try file.close()
    }

    private static func lines(of path: String) throws -> (header: String, rows: [Data]) {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        guard let header = lines.first, lines.count > 1 else { throw BenchmarkError("\(path) has no rows") }
        return ("\(header)\n", lines.dropFirst().map { Data("\($0)\n".utf8) })
    }

    /// Returns a generated row.
    ///
    /// Seven of ten rows are views, and each session has twenty rows.
    static func made(_ row: Int) -> String {
        let kinds = ["view", "view", "view", "cart", "view", "view", "remove_from_cart", "view", "view", "purchase"]
        let (hour, minute, second) = (row / 3_600 % 24, row / 60 % 60, row % 60)
        let time = [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        let session = row / 20
        return """
            2019-10-01 \(time) UTC,\(kinds[row % 10]),\(1_000_000 + row % 5_000),2053013555631882655,\
            electronics.smartphone,acme,\(row % 900).50,\(500_000 + session % 9_000),\
            72d76fde-8bb3-4e00-8c23-\(100_000_000_000 + session)\n
            """
    }
}
