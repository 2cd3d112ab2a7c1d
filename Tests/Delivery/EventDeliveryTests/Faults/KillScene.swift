import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import LoopbackCollector
import Testing

/// A queue directory, a collector, and producer processes that are started on the one, deliver to the other, and are
/// killed; it keeps what each of them promised.
final class KillScene: Sendable {
    /// A lane's books as the producer prints them.
    struct Ledger: Decodable {
        let accepted: Int
        let delivered: Int
        let pending: Int
        let quarantined: Int
        let dropped: [String: Int]

        var isBalanced: Bool { accepted == delivered + pending + quarantined + dropped.values.reduce(0, +) }
    }

    /// The producer did not do what it was asked to.
    struct ProducerFailure: Error {
        let end: ChildProcess.End
    }

    let collector: LoopbackCollector
    let queue: URL
    private let promises = Mutex<(receipts: Set<String>, kills: Int)>(([], 0))

    init(script: CollectorScript = .accept) throws {
        collector = try LoopbackCollector(services: [.awesomeTracking], script: script)
        queue = FileManager.default.temporaryDirectory.appending(path: "kill-\(UUID().uuidString)")
    }

    func remove() {
        collector.close()
        try? FileManager.default.removeItem(at: queue)
    }

    /// The ids that producers have printed receipts for.
    var receipts: Set<String> { promises.withLock { $0.receipts } }

    /// How many producers were ended by a signal.
    var kills: Int { promises.withLock { $0.kills } }

    /// The ids that have arrived.
    var arrivedIDs: Set<String> { Set(collector.events(of: .awesomeTracking).map(\.id)) }

    /// All payloads that have arrived under each id; more than one means that a retry was not identical.
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

    /// Lets a producer track until it has promised so many events, then ends it with a signal.
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
        try await noteEnd(of: producer, signal: signal)
    }

    /// Lets a producer track until its next request has arrived, then kills it before it can note the answer.
    func killProducer(afterRequests count: Int) async throws {
        let arrived = collector.tally.requests
        let producer = try start(["--count", "1000000", "--rate", "2000"])
        async let listening: Void = {
            for await line in producer.lines { _ = record(line) }
        }()
        await collector.tally { $0.requests >= arrived + count }
        producer.send(signal: SIGKILL)
        await listening
        try await noteEnd(of: producer, signal: SIGKILL)
    }

    /// Lets a producer reset again and again and kills it when so many resets have returned; returns the ids that it
    /// had, that of its start first.
    ///
    /// A producer at rest has reset for the last time when it is killed; another one is about to do it again.
    func killProducer(afterResets count: Int, isAtRest: Bool) async throws -> [String] {
        let resets = isAtRest ? count : 1_000_000
        let producer = try start(["--count", "0", "--hold", "--resets", "\(resets)"])
        var ids: [String] = []
        for await line in producer.lines where line.hasPrefix("I ") {
            ids.append(String(line.dropFirst(2)))
            if ids.count == count + 1 { producer.send(signal: SIGKILL) }
        }
        try await noteEnd(of: producer, signal: SIGKILL)
        return ids
    }

    /// Lets producers run side by side, of which one uses the directory and the others wait, and kills each one when it
    /// has stored its events.
    func killProducers(_ count: Int, afterEvents events: Int) async throws {
        let producers = try (0..<count).map { _ in try start(["--count", "\(events)", "--hold"]) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for producer in producers {
                group.addTask {
                    for await line in producer.lines where !self.record(line) && line == "H" { break }
                    producer.send(signal: SIGKILL)
                    try await self.noteEnd(of: producer, signal: SIGKILL)
                }
            }
            try await group.waitForAll()
        }
    }

    /// Lets processes start at the same time and deliver what is left; answers the books of each one's lanes.
    func drain(processes: Int) async throws -> [[Ledger]] {
        try await withThrowingTaskGroup(of: [Ledger].self) { group in
            for _ in 0..<processes { group.addTask { try await self.drain() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Lets a producer run until a signal that it gives itself, or until its own end.
    func runProducer(_ arguments: [String]) async throws -> ChildProcess.End {
        let producer = try start(arguments)
        for await line in producer.lines { _ = record(line) }
        return await producer.ended()
    }

    /// Delivers what is left, and answers the books of all lanes.
    func drain() async throws -> [Ledger] {
        let producer = try start(["--count", "0", "--deadline", "60"])
        var last = ""
        for await line in producer.lines { last = line }
        let end = await producer.ended()
        guard end == .code(0) else { throw ProducerFailure(end: end) }
        return try JSONDecoder().decode([Ledger].self, from: Data(last.utf8))
    }

    /// Delivers what is left with an engine of this process, and answers the books of all lanes.
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
        let report = await engine.flush(deadline: .seconds(300))
        #expect(report.isDrained)
        try await LedgerCheck.check(engine)
        let ledgers = await engine.statistics().map(\.ledger)
        await engine.close(deadline: .zero)
        return ledgers
    }

    private func start(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            product: "DeliveryProducer",
            arguments: ["--queue", queue.path, "--endpoint", "\(collector.url)/lines"] + arguments
        )
    }

    private func record(_ line: String) -> Bool {
        guard line.hasPrefix("R ") else { return false }
        promises.withLock { _ = $0.receipts.insert(String(line.dropFirst(2))) }
        return true
    }

    private func noteEnd(of producer: ChildProcess, signal: Int32) async throws {
        let end = await producer.ended()
        guard end == .signal(signal) else { throw ProducerFailure(end: end) }
        promises.withLock { $0.kills += 1 }
    }
}
