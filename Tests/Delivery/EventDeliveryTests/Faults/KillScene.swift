import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import LoopbackCollector
import Testing

/// A directory, a collector, and producer processes that use the directory, deliver to the collector and are killed.
///
/// It records the receipts of all processes.
final class KillScene: Sendable {
    /// A lane's ledger as the producer prints it.
    struct Ledger: Decodable {
        let accepted: Int
        let delivered: Int
        let pending: Int
        let quarantined: Int
        let dropped: [String: Int]

        var isBalanced: Bool { accepted == delivered + pending + quarantined + dropped.values.reduce(0, +) }
    }

    /// An unexpected end of a producer.
    struct ProducerFailure: Error {
        let end: ChildProcess.End
    }

    let collector: LoopbackCollector
    let queue: URL
    private let records = Mutex<(receipts: Set<String>, kills: Int)>(([], 0))

    init(script: CollectorScript = .accept) throws {
        collector = try LoopbackCollector(services: [.awesomeTracking], script: script)
        queue = FileManager.default.temporaryDirectory.appending(path: "kill-\(UUID().uuidString)")
    }

    func remove() {
        collector.close()
        try? FileManager.default.removeItem(at: queue)
    }

    /// The ids of the receipts that producers have printed.
    var receipts: Set<String> { records.withLock { $0.receipts } }

    /// The number of producers ended by a signal.
    var kills: Int { records.withLock { $0.kills } }

    /// The ids of the received events.
    var arrivedIDs: Set<String> { Set(collector.events(of: .awesomeTracking).map(\.id)) }

    /// The different payloads of each id, which are several if a retry was not identical.
    var payloadsByID: [String: Set<String>] {
        var payloads: [String: Set<String>] = [:]
        for request in collector.requests {
            for line in request.text.split(separator: "\n") {
                let id = String(line.dropFirst(#"{"event_id":""#.count).prefix(36))
                payloads[id, default: []].insert(String(line))
            }
        }
        return payloads
    }

    /// Runs a producer until it has printed a number of receipts, then ends it with a signal.
    func killProducer(
        afterReceipts count: Int,
        durability: String = "durable",
        signal: Int32 = SIGKILL,
        extra: [String] = []
    ) async throws {
        let producer = try start(["--count", "1000000", "--rate", "2000", "--durability", durability] + extra)
        var printed = 0
        for await line in producer.lines where record(line) {
            printed += 1
            if printed == count { producer.send(signal: signal) }
        }
        try await recordEnd(of: producer, signal: signal)
    }

    /// Runs a producer until its next requests have arrived, then kills it before it can record the response.
    func killProducer(afterRequests count: Int) async throws {
        let arrived = collector.tally.requests
        let producer = try start(["--count", "1000000", "--rate", "2000"])
        async let listening: Void = {
            for await line in producer.lines { _ = record(line) }
        }()
        await collector.tally { $0.requests >= arrived + count }
        producer.send(signal: SIGKILL)
        await listening
        try await recordEnd(of: producer, signal: SIGKILL)
    }

    /// Runs a producer that resets repeatedly, and kills it when a number of resets have returned.
    ///
    /// A producer at rest has finished its last reset when it is killed. Another one is about to reset again.
    ///
    /// Returns the installation ids of the producer, beginning with the id at its start.
    func killProducer(afterResets count: Int, isAtRest: Bool) async throws -> [String] {
        let resets = isAtRest ? count : 1_000_000
        let producer = try start(["--count", "0", "--hold", "--resets", "\(resets)"])
        var ids: [String] = []
        for await line in producer.lines where line.hasPrefix("I ") {
            ids.append(String(line.dropFirst(2)))
            if ids.count == count + 1 { producer.send(signal: SIGKILL) }
        }
        try await recordEnd(of: producer, signal: SIGKILL)
        return ids
    }

    /// Runs a producer that passes quotas documents to its engine, and kills it when a number of them are accepted.
    ///
    /// Returns the number of the last document whose acceptance the producer has printed.
    func killProducer(afterDocuments count: Int) async throws -> Int {
        let producer = try start(["--count", "0", "--hold", "--quotas", "1000000"])
        var accepted = 0
        for await line in producer.lines where line.hasPrefix("A ") {
            accepted = Int(line.dropFirst(2)) ?? 0
            if accepted == count { producer.send(signal: SIGKILL) }
        }
        try await recordEnd(of: producer, signal: SIGKILL)
        return accepted
    }

    /// Runs a producer that sends traits of one user after another, and kills it when the traits of a number of users
    /// are stored.
    ///
    /// Returns the users whose traits are stored.
    func killProducer(afterUsers count: Int) async throws -> [String] {
        let producer = try start(["--count", "0", "--hold", "--users", "1000000"])
        var users: [String] = []
        for await line in producer.lines where line.hasPrefix("T ") {
            users.append(String(line.dropFirst(2)))
            if users.count == count { producer.send(signal: SIGKILL) }
        }
        try await recordEnd(of: producer, signal: SIGKILL)
        return users
    }

    /// Runs producers at the same time, of which one uses the directory and the others wait.
    ///
    /// It kills each one when it has stored its events.
    func killProducers(_ count: Int, afterEvents events: Int) async throws {
        let producers = try (0..<count).map { _ in try start(["--count", "\(events)", "--hold"]) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for producer in producers {
                group.addTask {
                    for await line in producer.lines where !self.record(line) && line == "H" { break }
                    producer.send(signal: SIGKILL)
                    try await self.recordEnd(of: producer, signal: SIGKILL)
                }
            }
            try await group.waitForAll()
        }
    }

    /// Runs processes at the same time that deliver the remaining events.
    ///
    /// Returns the ledgers of each process's lanes.
    func drain(processes: Int) async throws -> [[Ledger]] {
        try await withThrowingTaskGroup(of: [Ledger].self) { group in
            for _ in 0..<processes { group.addTask { try await self.drain() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Runs a producer until it kills itself or ends.
    func runProducer(_ arguments: [String]) async throws -> ChildProcess.End {
        let producer = try start(arguments)
        for await line in producer.lines { _ = record(line) }
        return await producer.ended()
    }

    /// Runs a process that delivers the remaining events.
    ///
    /// Returns the ledgers of all lanes.
    func drain() async throws -> [Ledger] {
        let producer = try start(["--count", "0", "--deadline", "60"])
        var last = ""
        for await line in producer.lines { last = line }
        let end = await producer.ended()
        guard end == .code(0) else { throw ProducerFailure(end: end) }
        return try JSONDecoder().decode([Ledger].self, from: Data(last.utf8))
    }

    /// Delivers the remaining events with an engine of this process.
    ///
    /// Returns the ledgers of all lanes.
    func drainHere() async throws -> [LaneLedger] {
        let endpoint = collector.url.appending(path: "lines").url
        let lane = LaneID(product: "P", service: "lane1")
        let engine = DeliveryEngine()
        try await engine.open(
            DeliveryConfiguration(
                directory: queue,
                destinations: [LineDestination(lane: lane, endpoint: endpoint)]
            )
        )
        engine.lane(lane).track("fresh", parameters: [:])
        let report = await engine.flush(timeout: .seconds(300))
        #expect(report.isDrained)
        try await LedgerCheck.check(engine)
        let ledgers = await engine.statistics().map(\.ledger)
        await engine.close(timeout: .zero)
        return ledgers
    }

    /// Starts a producer.
    func start(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            product: "DeliveryProducer",
            arguments: ["--queue", queue.path, "--endpoint", "\(collector.url)/lines"] + arguments
        )
    }

    /// Records a line with a receipt.
    ///
    /// Returns `false` for any other line.
    func record(_ line: String) -> Bool {
        guard line.hasPrefix("R ") else { return false }
        records.withLock { _ = $0.receipts.insert(String(line.dropFirst(2))) }
        return true
    }

    /// Reads the lines of a producer up to a given one.
    ///
    /// Returns `false` if the producer ends before.
    func wait(for expected: String, of producer: ChildProcess) async -> Bool {
        for await line in producer.lines where !record(line) && line == expected { return true }
        return false
    }

    private func recordEnd(of producer: ChildProcess, signal: Int32) async throws {
        let end = await producer.ended()
        guard end == .signal(signal) else { throw ProducerFailure(end: end) }
        records.withLock { $0.kills += 1 }
    }
}
