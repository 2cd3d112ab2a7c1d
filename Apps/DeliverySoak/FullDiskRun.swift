import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import LoopbackCollector

/// A run that kills producers around their consent decisions, on a small disk with free space half of the time.
///
/// A producer tracks marked events, then denies their purpose. If the denial was stored, the next process finds it, and
/// no later process sends the events. If the call of the denial has also returned without an error, no file contains
/// them.
struct FullDiskRun {
    private static let megabytes = 16
    /// The longest time in milliseconds for which the disk is full, or has space.
    private static let longestPhase = 60
    /// The time after which a producer that is still running counts as hanging.
    private static let longestRun: Duration = .seconds(120)

    private let place: URL
    private let receiver: MarkReceiver
    private var random: SeededGenerator
    private var processes = 0
    private var kills = 0
    /// The number of stored and of refused decisions.
    private var (stored, refused) = (0, 0)
    /// The number of denials whose deletion was complete when the process ended.
    private var clean = 0
    /// The marks of events before each denial, with the number of the process.
    private var tracked: [String: Int] = [:]
    /// The marks of events covered by a stored denial, with the number of the process.
    private var covered: [String: Int] = [:]
    /// The stored decision, or `nil` if the process ended before it was known.
    private var decision: String? = "granted"
    private(set) var violations: [String] = []

    private var queue: URL { place.appending(path: "queue") }
    private var filler: URL { place.appending(path: "filler") }

    /// Mounts the disk, which only root can do.
    init(seed: UInt64) throws {
        place = FileManager.default.temporaryDirectory.appending(path: "soak-disk-\(UUID().uuidString)")
        receiver = try MarkReceiver(seed: seed)
        random = SeededGenerator(seed: seed)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let size = "size=\(FullDiskRun.megabytes)m,mode=0700"
        guard HostileRound.call("mount", "-t", "tmpfs", "-o", size, "none", place.path) else {
            throw POSIXError(.EPERM)
        }
    }

    /// Kills a number of producers, then delivers all events and compares the counts.
    mutating func run(kills count: Int) async throws {
        defer {
            _ = HostileRound.call("umount", "-l", place.path)
            try? FileManager.default.removeItem(at: place)
        }
        // The first process creates the queue before the disk is full.
        try await runProducer()
        let filling = Task { [filler] in await FullDiskRun.fillAndFree(filler) }
        while kills < count, violations.isEmpty { try await runProducer() }
        filling.cancel()
        await filling.value
        try await drain()
    }

    /// The figures.
    var text: String {
        """
        processes killed                      \(kills) of \(processes)
        decisions stored                      \(stored)
          refused                             \(refused)
        denials complete at the end           \(clean)
        marks of events                       \(tracked.count)
          sent by a later process             \(receiver.marks(sentAfter: tracked).count)
          covered by a stored denial          \(covered.count)
            sent by a later process           \(receiver.marks(sentAfter: covered).count)
        """
    }

    /// Fills and frees the disk until the task is cancelled.
    private static func fillAndFree(_ filler: URL) async {
        while !Task.isCancelled {
            _ = try? HostileRound.fill(filler)
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...longestPhase)))
            try? FileManager.default.removeItem(at: filler)
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...longestPhase)))
        }
        try? FileManager.default.removeItem(at: filler)
    }

    /// Runs a producer until it is killed, and checks its lines and the files.
    private mutating func runProducer() async throws {
        processes += 1
        let isKilledAtCall = Bool.random(using: &random)
        let call = Int.random(in: 1...600, using: &random)
        let producer = try ChildProcess(
            product: "DeliveryProducer",
            arguments: [
                "--queue", queue.path, "--endpoint", receiver.endpoint(of: processes).absoluteString,
                "--count", "1000000", "--rate", "1000", "--lanes", "\(SoakRun.lanes)", "--unordered", "--decide",
                "--resume",
            ] + (isKilledAtCall ? ["--kill-at-call", "\(call)"] : [])
        )
        let watch = Task {
            try await Task.sleep(for: FullDiskRun.longestRun)
            producer.send(signal: SIGKILL)
        }
        var decisionsLeft = isKilledAtCall ? 200 : Int.random(in: 1...8, using: &random)
        var isClean = false
        for await line in producer.lines {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "C":
                if let decision, decision != words[1] { violations.append("\(decision) became \(words[1])") }
            case "B":
                (decision, isClean) = (nil, false)
                if words[1] == "denied" { tracked[words[2]] = processes }
                decisionsLeft -= 1
                guard decisionsLeft == 0 else { continue }
                // The decision takes about a millisecond.
                try await Task.sleep(for: .microseconds(Int.random(in: 0...4_000, using: &random)))
                producer.send(signal: SIGKILL)
            case "S":
                stored += 1
                decision = words[1]
                guard words[1] == "denied" else { continue }
                covered[words[2]] = processes
                isClean = words[3] == "clean"
            case "F": refused += 1
            default: break
            }
        }
        let end = await producer.ended()
        watch.cancel()
        if case .success = await watch.result { violations.append("a process ran for \(FullDiskRun.longestRun)") }
        if end == .signal(SIGKILL) { kills += 1 } else { violations.append("a process ended with \(end)") }
        guard isClean else { return }
        clean += 1
        let files = try TemporaryQueue.files(in: queue, containing: "MARK-")
        if !files.isEmpty { violations.append("bytes in \(files)") }
    }

    /// Delivers the remaining events, and checks the counts.
    private mutating func drain() async throws {
        receiver.calm()
        let engine = DeliveryEngine()
        let lanes = (1...SoakRun.lanes).map { LaneID(product: "P", service: "lane\($0)") }
        let endpoint = receiver.endpoint(of: processes + 1)
        try await engine.open(
            DeliveryConfiguration(
                directory: queue,
                destinations: lanes.map { LineDestination(lane: $0, order: .none, endpoint: endpoint) }
            )
        )
        try await engine.setConsent(.granted, for: .analytics)
        await engine.drainResuming()
        do { try await LedgerCheck.check(engine) } catch { violations.append("\(error)") }
        for lane in await engine.statistics() {
            let (pending, damaged) = (lane.ledger.pending, lane.ledger.dropped[.corrupted] ?? 0)
            if pending + damaged > 0 { violations.append("\(pending) pending and \(damaged) damaged on \(lane.id)") }
        }
        await engine.close(timeout: .seconds(1))
        for mark in receiver.marks(sentAfter: covered) { violations.append("\(mark) was sent after its denial") }
    }
}

/// A receiver that records which process has sent which marks.
///
/// It refuses most requests, so events stay for later processes.
private final class MarkReceiver: Sendable {
    private struct Record {
        var random: SeededGenerator
        var isCalm = false
        /// The number of the last sender of each mark.
        var senders: [String: Int] = [:]
    }

    private let record: Mutex<Record>
    private let collector: LoopbackCollector

    init(seed: UInt64) throws {
        record = Mutex(Record(random: SeededGenerator(seed: seed)))
        collector = try LoopbackCollector(services: [], retention: .idsOnly)
        collector.setScript(CollectorScript { [weak self] request in self?.action(for: request) ?? .close })
    }

    /// Returns the address for a process.
    func endpoint(of process: Int) -> URL { collector.url.appending(path: "lines/\(process)").url }

    /// Acknowledges all further requests.
    func calm() { record.withLock { $0.isCalm = true } }

    /// Returns the marks sent by a process later than the given one.
    func marks(sentAfter processes: [String: Int]) -> [String] {
        record.withLock { record in
            processes.filter { mark, process in record.senders[mark] ?? 0 > process }.keys.sorted()
        }
    }

    private func action(for request: CollectedRequest) -> CollectorAction {
        let process = request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0
        return record.withLock { record in
            for match in request.text.matches(of: /MARK-([0-9]+-[0-9]+)/) {
                let mark = String(match.1)
                record.senders[mark] = max(process, record.senders[mark] ?? 0)
            }
            return record.isCalm || Int.random(in: 0..<10, using: &record.random) == 0 ? .accept : .status(503)
        }
    }
}
