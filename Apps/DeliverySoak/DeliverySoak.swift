import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import OptionParsing

/// A program that combines random faults of processes, receiver and consent, and prints a scorecard at the end.
@main
struct DeliverySoak {
    static func main() async { await SoakOptions.run(run) }

    private static func run(_ options: SoakOptions) async throws {
        if options.diskKills > 0 { return try await killOnFullDisk(options) }
        let directory = FileManager.default.temporaryDirectory.appending(path: "soak-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        print("soak of \(options.minutes) minutes, seed \(options.seed)")
        var run = try SoakRun(options: options, directory: directory)
        let end = ContinuousClock.now + .seconds(options.minutes * 60)
        async let vendors = VendorRound.run(seed: options.seed, until: end)
        try await run.makeFaults(until: end) { scorecard in
            guard isatty(2) == 1 else { return }
            let text = "\r\(scorecard.kills) kills, \(scorecard.receipts.count) receipts "
            FileHandle.standardError.write(Data(text.utf8))
        }
        if isatty(2) == 1 { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
        try await run.drain()
        run.scorecard.vendors = try await vendors
        print(run.scorecard.text)
        let violations = run.scorecard.violations
        guard violations.isEmpty else {
            print("wrong: \(violations.joined(separator: ", ")); the queue is kept in \(directory.path)")
            exit(1)
        }
        try? FileManager.default.removeItem(at: directory)
        print("every invariant holds")
    }

    private static func killOnFullDisk(_ options: SoakOptions) async throws {
        print("\(options.diskKills) kills on a full disk, seed \(options.seed)")
        var run = try FullDiskRun(seed: options.seed)
        try await run.run(kills: options.diskKills)
        print(run.text)
        guard run.violations.isEmpty else {
            print("wrong: \(run.violations.joined(separator: "\n       "))")
            exit(1)
        }
        print("every invariant holds")
    }
}

/// A run that starts and ends producers on one queue, then delivers all events and counts them.
struct SoakRun {
    /// The number of lanes that producers use in turn: one with order and one without.
    static let lanes = 2
    /// The index of the lane that keeps the order of sessions.
    static let orderedLane = 0

    let queue: URL
    let receiver: FaultyReceiver
    var random: SeededGenerator
    var scorecard = Scorecard()

    init(options: SoakOptions, directory: URL) throws {
        queue = directory.appending(path: "queue")
        receiver = try FaultyReceiver(seed: options.seed)
        random = SeededGenerator(seed: options.seed)
    }

    /// Causes faults until the given time.
    mutating func makeFaults(until end: ContinuousClock.Instant, progress: (Scorecard) -> Void) async throws {
        while ContinuousClock.now < end {
            let count = Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1
            let faults = (0..<count).map { _ in
                (
                    fault: ProducerFault.random(using: &random),
                    suspends: Int.random(in: 0..<3, using: &random) == 0,
                    freezes: Int.random(in: 0..<8, using: &random) == 0
                )
            }
            scorecard.suspending += faults.count(where: \.suspends)
            scorecard.freezing += faults.count(where: \.freezes)
            let (queue, endpoint) = (queue, receiver.endpoint)
            let outcomes = try await withThrowingTaskGroup(of: ProducerFault.Outcome.self) { group in
                for (fault, suspends, freezes) in faults {
                    group.addTask {
                        try await fault.run(queue: queue, endpoint: endpoint, suspends: suspends, freezes: freezes)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for outcome in outcomes { scorecard.add(outcome) }
            if Int.random(in: 0..<4, using: &random) == 0 { try await takeConsentAway() }
            if scorecard.hostileRounds == 0 || Int.random(in: 0..<40, using: &random) == 0 { try await makeHostile() }
            progress(scorecard)
        }
    }

    /// Delivers all events, and compares the receipts with the received events.
    mutating func drain() async throws {
        receiver.calm()
        let engine = DeliveryEngine()
        let endpoint = receiver.endpoint.url
        let destinations: [any Destination] = [
            LineDestination(lane: LaneID(product: "P", service: "lane1"), endpoint: endpoint),
            LineDestination(
                lane: LaneID(product: "P", service: "lane2"),
                order: .none,
                limits: BatchLimits(events: 500, bodyBytes: 1_000_000, framingBytes: 500, inFlight: 4),
                endpoint: endpoint
            ),
        ]
        var configuration = DeliveryConfiguration(directory: queue, destinations: destinations)
        configuration.budget = DeliveryBudget(events: 10_000_000, bytes: 4_000_000_000)
        configuration.log = .off
        try await engine.open(configuration)
        await engine.drainResuming()
        do { try await LedgerCheck.check(engine) } catch { scorecard.imbalances.append("\(error)") }
        let statistics = await engine.statistics()
        await engine.close(timeout: .seconds(1))
        scorecard.evaluate(statistics: statistics, record: receiver.snapshot)
    }

    /// Runs a round with a denial and an erasure on a full disk.
    private mutating func makeHostile() async throws {
        let round = try await HostileRound.run()
        scorecard.hostileRounds += 1
        if round.wasFull { scorecard.fullDisks += 1 }
        scorecard.bytesAfterHostileRounds += round.leftBytes
    }

    /// Denies consent at a random time of an upload, while other tasks set it too.
    ///
    /// After that, no request may start and no payload may be stored until consent is granted again.
    private mutating func takeConsentAway() async throws {
        let events = Int.random(in: 1...200, using: &random)
        let words = ConsentCallers.words(using: &random)
        let later = ConsentCallers.words(using: &random)
        let round = try await ConsentRound.run(events: events, words: words, later: later)
        scorecard.denials += 1
        scorecard.requestsAfterDenial += round.requestsAfterDenial
        scorecard.bytesAfterDenial += round.leftBytes
        if !round.grantHolds { scorecard.lostGrants += 1 }
    }
}

extension DeliveryEngine {
    /// Delivers the remaining events, until twelve flushes in a row have delivered none.
    ///
    /// Pauses and back-offs from the faults would last longer than the run, so the lanes are resumed.
    func drainResuming() async {
        var attempts = 0
        while attempts < 12 {
            await resume()
            let report = await flush(timeout: .seconds(5))
            if report.isDrained { break }
            attempts = report.lanes.contains { $0.delivered > 0 } ? 0 : attempts + 1
        }
    }
}
