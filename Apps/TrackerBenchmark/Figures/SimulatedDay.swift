import EventDelivery
import Foundation

/// The requests, the wake-ups of the radio and the syncs of an ordinary user's day, on a virtual clock.
///
/// The engine, its file on the disk and the two services of Dolap Lite are real, and receivers acknowledge at once. The
/// app goes to the background after each session, and ``UsageDay/ordinary`` has the times. A request is a wake-up if it
/// starts more than 5 s after the previous request of any service. Bytes are counted for HTTP/1.1 with compressed
/// bodies, without TLS.
///
/// The floor is the peer with the fewest wake-ups. The peers' requests are modelled by ``PeerRule`` from the documented
/// default values of their SDKs, not measured. They have the same events, encoded alike.
///
/// A schedule sends if its oldest event has waited for the interval, and sends all stored events then. No rule with the
/// same longest delay sends less often.
struct SimulatedDay: Figure {
    private static let wakeUps = row("wake-ups", .count, .timesFloor(1))
    private static let requests = row("requests", .count, .timesFloor(1))
    private static let bytesUp = row("bytes up", .bytes, .timesFloor(1))
    private static let bytesDown = row("bytes down", .bytes, .timesFloor(1))
    private static let delay = row("longest delay", .nanoseconds, .atMost(60e9))
    private static let syncs = row("syncs of the disk", .count, .atMost(300))
    private static let idleSyncs = row("syncs of the disk in an idle hour", .count, .atMost(0))
    private static let immediateWakeUps = Row("simulated day, immediate: wake-ups", .count, isCount: true)
    private static let immediateRequests = Row("simulated day, immediate: requests", .count, isCount: true)

    let rows = [
        wakeUps, requests, bytesUp, bytesDown, delay, syncs, idleSyncs, immediateWakeUps, immediateRequests,
    ]
    let runs = RunCount.once

    private static func row(_ name: String, _ unit: RowUnit, _ budget: Row.Budget) -> Row {
        Row("simulated day, phone: \(name)", unit, budget, isCount: true)
    }

    func measure(_ setting: Setting) throws -> [Sample] {
        let report = try DayReport.measured(in: setting.directory)
        guard let phone = report.line(DayReport.phone), let immediate = report.line(DayReport.immediate),
            let peer = report.bestPeer
        else { throw BenchmarkError("the day has no requests") }
        func sample(_ row: Row, _ value: (DayReport.Line) -> Double) -> Sample {
            Sample(row: row.name, value: value(phone), floor: value(peer))
        }
        let note = "needs Linux and clang"
        return [
            sample(Self.wakeUps) { Double($0.wakeUps) },
            sample(Self.requests) { Double($0.requests) },
            sample(Self.bytesUp) { Double($0.bytesUp) },
            sample(Self.bytesDown) { Double($0.bytesDown) },
            sample(Self.delay) { $0.longestDelay * 1e9 },
            Sample(row: Self.syncs.name, value: report.syncs.map(Double.init), note: note),
            Sample(row: Self.idleSyncs.name, value: report.syncsWhileIdle.map(Double.init), note: note),
            Sample(row: Self.immediateWakeUps.name, value: Double(immediate.wakeUps)),
            Sample(row: Self.immediateRequests.name, value: Double(immediate.requests)),
        ]
    }
}

/// The traffic of a day by schedule, peer and service.
struct DayReport: Codable, Sendable {
    /// The traffic of a schedule or a peer.
    struct Line: Codable, Sendable, Equatable {
        /// The name of the schedule or the peer.
        let name: String
        /// The service, or `nil` for all services.
        let service: String?
        let requests: Int
        let wakeUps: Int
        let bytesUp: Int
        let bytesDown: Int
        /// The longest delay in seconds.
        let longestDelay: Double
        /// The mean delay in seconds.
        let meanDelay: Double
    }

    /// The name of the schedule of phones.
    static let phone = "phone"
    /// The name of the schedule that sends at once.
    static let immediate = "immediate"

    /// The lines of each schedule and peer: first a line for all services, then one for each service.
    private(set) var lines: [Line] = []
    /// The number of syncs with the schedule of phones, or `nil` without a counter.
    private(set) var syncs: Int?
    /// The number of syncs in the hour after that day, or `nil` without a counter.
    private(set) var syncsWhileIdle: Int?

    /// Runs a day with each schedule, and models the peers.
    ///
    /// - Throws: An error if a run has failed.
    init(_ day: UsageDay, in directory: String) throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else {
            throw BenchmarkError("a virtual clock needs macOS 15")
        }
        let phone = try VirtualDay(day, schedule: .phone, in: "\(directory)/phone")
        let slower = SendingSchedule(interval: .seconds(120))
        (syncs, syncsWhileIdle) = (phone.syncs, phone.syncsWhileIdle)
        add(DayReport.phone, phone.traffic)
        add("interval of 120 s", try VirtualDay(day, schedule: slower, in: "\(directory)/slower").traffic)
        add(DayReport.immediate, try VirtualDay(day, schedule: .immediate, in: "\(directory)/immediate").traffic)
        for rule in PeerRule.all {
            add(rule.name, Traffic(requests: phone.recordings.flatMap { $0.requests(by: rule, on: day) }))
        }
    }

    /// Runs an ordinary day in a process with the counters, if there are any.
    static func measured(in directory: String) throws -> DayReport {
        let load = ["--load", "day", "1", directory]
        let environment = PreloadedCounter.library.map { ["LD_PRELOAD": $0] } ?? [:]
        let outcome = try Tool(path: Tool.ownExecutable).run(load, environment: environment, showsErrors: true)
        guard outcome.code == 0, let line = outcome.output.split(separator: "\n").last else {
            throw BenchmarkError("the day has ended with \(outcome.code)")
        }
        return try JSONDecoder().decode(DayReport.self, from: Data(line.utf8))
    }

    private mutating func add(_ name: String, _ traffic: Traffic) {
        for service in [nil] + traffic.services.map(Optional.some) {
            let part = service.map { traffic.to($0) } ?? traffic
            lines.append(
                Line(
                    name: name,
                    service: service,
                    requests: part.requests.count,
                    wakeUps: part.wakeUps,
                    bytesUp: part.bytesUp,
                    bytesDown: part.bytesDown,
                    longestDelay: part.longestDelay / .seconds(1),
                    meanDelay: part.meanDelay / .seconds(1)
                )
            )
        }
    }

    /// Returns the line of a schedule or a peer for all services.
    func line(_ name: String) -> Line? { lines.first { $0.name == name && $0.service == nil } }

    /// The line of the peer with the fewest wake-ups.
    var bestPeer: Line? { PeerRule.all.compactMap { line($0.name) }.min { $0.wakeUps < $1.wakeUps } }

    /// The report as one line of JSON.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// The lines as a table of a documentation page.
    var table: String {
        let head = """
            | rule | service | requests | wake-ups | bytes up | bytes down | longest delay | mean delay |
            |---|---|---|---|---|---|---|---|
            """
        let rows = lines.map { line in
            let cells = [
                line.name, line.service ?? "both services", "\(line.requests)", "\(line.wakeUps)",
                RowUnit.bytes.text(Double(line.bytesUp)), RowUnit.bytes.text(Double(line.bytesDown)),
                RowUnit.nanoseconds.text(line.longestDelay * 1e9), RowUnit.nanoseconds.text(line.meanDelay * 1e9),
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        return ([head] + rows).joined(separator: "\n")
    }
}
