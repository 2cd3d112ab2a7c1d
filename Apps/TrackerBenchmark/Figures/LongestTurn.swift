import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation

/// The longest turn of the store with a backlog of 325 MB, while 10,000 events arrive each second.
///
/// A turn delays all other work of the store. The figure is void if an event finds the buffer full.
struct LongestTurn: Figure {
    /// The backlog and the work of the store with it.
    enum Scene {
        /// A lane with long segments, because the events have two users, and a budget without a limit.
        case oneLane
        /// A server's 24 lanes with a user for each event, so each event is a segment, and a full budget.
        case manyUsers
    }

    /// The work of the store, with the name of its row as raw value.
    private enum Work: String {
        case erasure = "longest turn during an erasure"
        case refusal = "longest turn during a refusal of 2,000 events"
        case recovery = "longest turn during a recovery of the disk"
        case denial = "longest turn during a denial"
        case eviction = "longest turn with a user for each event, full budget"
        case erasureOfOne = "longest turn with a user for each event, erasure"
        case flushes = "longest turn with a user for each event, 2,000 flushes"

        var processorRow: String { "\(rawValue): processor time" }
    }

    private static let backlog = 325_000_000
    /// The number of events in a burst, and the time between two bursts in microseconds.
    private static let load = (events: 100, pause: UInt32(10_000))
    /// The numbers of events of the erased user and of a refused batch.
    private static let events = (erased: 20_000, batch: 2_000)
    /// The time in which the disk refuses each write, in microseconds.
    ///
    /// The buffer has space for twice this time.
    private static let outage: UInt32 = 300_000
    /// The number of concurrent flushes, the deadline of each, and the time of load with a full budget.
    private static let flushes = (count: 2_000, timeout: Duration.seconds(3), eviction: Duration.seconds(3))
    private static let hold = HoldReason("benchmark")

    private let scene: Scene
    private let works: [Work]

    /// Creates the figure of a scene.
    init(_ scene: Scene) {
        self.scene = scene
        works =
            scene == .oneLane ? [.erasure, .refusal, .recovery, .denial] : [.eviction, .erasureOfOne, .flushes]
    }

    var rows: [Row] {
        works.flatMap { work in
            [work.rawValue, work.processorRow].map { Row($0, .nanoseconds, .atMost(50_000_000)) }
        }
    }
    let runs = RunCount(full: 3, quick: 1)

    func measure(_ setting: Setting) async throws -> [Sample] {
        let timer = TurnTimer()
        let engine = DeliveryEngine(runtime: timer.runtime, clock: SystemClock())
        let destinations = destinations
        var configuration = DeliveryConfiguration(
            directory: URL(filePath: setting.directory),
            destinations: destinations,
            transport: ReceiverlessTransport(acknowledges: true, delay: .milliseconds(100))
        )
        configuration.budget = DeliveryBudget(
            events: 10_000_000,
            bytes: scene == .manyUsers ? LongestTurn.backlog : 10_000_000_000,
            quarantinedEvents: 10_000,
            quarantinedBytes: 100_000_000
        )
        configuration.log = LiveEngine.log
        try await engine.open(configuration)
        let lanes = destinations.map { engine.lane($0.lane) }
        for destination in destinations { engine.hold(destination.lane, reason: LongestTurn.hold) }
        try await fill(lanes, of: LiveEngine(engine), in: setting.directory)
        let load = Thread { [scene] in
            var number = 0
            while !Thread.current.isCancelled {
                for _ in 0..<LongestTurn.load.events {
                    number += 1
                    let user = scene == .manyUsers ? "live-\(number)" : nil
                    LongestTurn.track("live", number, of: user, ["text": "x"], on: lanes)
                }
                usleep(LongestTurn.load.pause)
            }
        }
        load.start()
        defer { load.cancel() }
        var samples: [Sample] = []
        for work in works {
            _ = timer.take()
            try await run(work, on: engine, destinations.map(\.lane))
            let longest = timer.take()
            samples.append(Sample(row: work.rawValue, value: longest.elapsed))
            samples.append(Sample(row: work.processorRow, value: longest.processor))
        }
        let dropped = await count(of: .bufferFull, in: engine)
        guard dropped == 0 else { throw BenchmarkError("\(dropped) events found the buffer full") }
        await engine.close(timeout: .zero)
        return samples
    }

    private var destinations: [any Destination] {
        guard scene == .manyUsers else { return [RefusingDestination(events: LongestTurn.events.batch)] }
        return (0..<24).map { LineDestination(lane: LaneID(product: "T", service: "lines\($0)"), order: .none) }
    }

    private static func track(
        _ name: String,
        _ number: Int,
        of user: String?,
        _ parameters: EventParameters,
        on lanes: [DeliveryLane]
    ) {
        guard let user else { return lanes[number % lanes.count].track(name, parameters: parameters) }
        withTracking(user: user) { lanes[number % lanes.count].track(name, parameters: parameters) }
    }

    private func count(of reason: DropReason, in engine: DeliveryEngine) async -> Int {
        await engine.statistics().reduce(0) { $0 + ($1.ledger.dropped[reason] ?? 0) }
    }

    /// Stores events until the file has the size of the backlog, or until the budget is full.
    private func fill(_ lanes: [DeliveryLane], of live: LiveEngine, in directory: String) async throws {
        let text = String(repeating: "text ", count: 60)
        if scene == .oneLane { live.engine.user.identify("erased") }
        for number in 0... {
            if scene == .oneLane, number == LongestTurn.events.erased { live.engine.user.identify("other") }
            let user = scene == .manyUsers ? "user-\(number)" : nil
            LongestTurn.track("stored", number, of: user, ["number": .int(number), "text": .string(text)], on: lanes)
            if number.isMultiple(of: 100) { live.makeRoom() }
            guard number.isMultiple(of: 1_000), try LiveEngine.fileSize(in: directory) >= LongestTurn.backlog else {
                continue
            }
            if scene == .oneLane { break }
            if await count(of: .byteBudget, in: live.engine) > 0 { break }
        }
        live.waitUntilStored()
    }

    private func run(_ work: Work, on engine: DeliveryEngine, _ lanes: [LaneID]) async throws {
        switch work {
        case .erasure:
            let erased = try await engine.erase(user: "erased")
            guard erased >= LongestTurn.events.erased else { throw BenchmarkError("\(erased) events were erased") }
        case .refusal:
            for lane in lanes { engine.release(lane, reason: LongestTurn.hold) }
            while await engine.statistics().allSatisfy({ $0.ledger.quarantined < LongestTurn.events.batch - 1 }) {
                try await Task.sleep(for: .milliseconds(10))
            }
            for lane in lanes { engine.hold(lane, reason: LongestTurn.hold) }
        case .recovery:
            // A file size of 0 makes each write fail, like a removed device.
            ProcessUsage.limitFiles(to: 0)
            usleep(LongestTurn.outage)
            ProcessUsage.limitFiles(to: nil)
            await engine.storeBuffered()
        case .denial:
            try await engine.setConsent(.denied, for: .analytics)
        case .eviction:
            let before = await count(of: .byteBudget, in: engine)
            try await Task.sleep(for: LongestTurn.flushes.eviction)
            let evicted = await count(of: .byteBudget, in: engine) - before
            guard evicted > 0 else { throw BenchmarkError("the budget was not full") }
        case .erasureOfOne:
            let erased = try await engine.erase(user: "live-1")
            guard erased == 1 else { throw BenchmarkError("\(erased) events were erased, not 1") }
        case .flushes:
            for lane in lanes { engine.release(lane, reason: LongestTurn.hold) }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<LongestTurn.flushes.count {
                    group.addTask { _ = await engine.flush(timeout: LongestTurn.flushes.timeout) }
                }
            }
        }
    }
}

/// A destination whose receiver refuses each event of a batch except the last.
///
/// If the receiver refused all, the lane would pause.
private struct RefusingDestination: DestinationWrapper {
    let base: any Destination

    init(events: Int) {
        base = LineDestination(limits: BatchLimits(events: events, bodyBytes: 10_000_000, framingBytes: 500))
    }

    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        .partial(Dictionary(uniqueKeysWithValues: batch.events.indices.dropLast().map { ($0, .refused("refused")) }))
    }
}
