import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation

/// The longest turn of the store with a backlog of 325 MB, while 10,000 events arrive each second.
///
/// A turn delays all other work of the store. The figure is void if an event finds the buffer full.
struct LongestTurn: Figure {
    /// The work of the store, with the name of its row as raw value.
    private enum Work: String, CaseIterable {
        case erasure = "longest turn during an erasure"
        case refusal = "longest turn during a refusal of 2,000 events"
        case recovery = "longest turn during a recovery of the disk"
        case denial = "longest turn during a denial"

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
    private static let hold = HoldReason("benchmark")

    let rows = Work.allCases.flatMap { work in
        [
            Row(work.rawValue, .nanoseconds, .atMost(50_000_000)),
            Row(work.processorRow, .nanoseconds, .atMost(50_000_000)),
        ]
    }
    let runs = RunCount(full: 3, quick: 1)

    func measure(_ setting: Setting) async throws -> [Sample] {
        let timer = TurnTimer()
        let engine = DeliveryEngine(runtime: timer.runtime, clock: SystemClock())
        let destination = RefusingDestination(events: LongestTurn.events.batch)
        var configuration = DeliveryConfiguration(
            directory: URL(filePath: setting.directory),
            destinations: [destination],
            transport: ReceiverlessTransport(acknowledges: true, delay: .milliseconds(100))
        )
        configuration.budget = DeliveryBudget(
            events: 10_000_000,
            bytes: 10_000_000_000,
            quarantinedEvents: 10_000,
            quarantinedBytes: 100_000_000
        )
        configuration.log = LiveEngine.log
        try await engine.open(configuration)
        let lane = engine.lane(destination.lane)
        engine.hold(destination.lane, reason: LongestTurn.hold)
        try fill(lane, of: LiveEngine(engine), in: setting.directory)
        let load = Thread {
            while !Thread.current.isCancelled {
                for _ in 0..<LongestTurn.load.events { lane.track("live", parameters: ["text": "x"]) }
                usleep(LongestTurn.load.pause)
            }
        }
        load.start()
        defer { load.cancel() }
        var samples: [Sample] = []
        for work in Work.allCases {
            _ = timer.take()
            try await run(work, on: engine, destination.lane)
            let longest = timer.take()
            samples.append(Sample(row: work.rawValue, value: longest.elapsed))
            samples.append(Sample(row: work.processorRow, value: longest.processor))
        }
        let dropped = await engine.statistics().reduce(0) { $0 + ($1.ledger.dropped[.bufferFull] ?? 0) }
        guard dropped == 0 else { throw BenchmarkError("\(dropped) events found the buffer full") }
        await engine.close(timeout: .zero)
        return samples
    }

    /// Stores events until the file has the size of the backlog.
    private func fill(_ lane: DeliveryLane, of live: LiveEngine, in directory: String) throws {
        let text = String(repeating: "text ", count: 60)
        live.engine.user.identify("erased")
        for number in 0... {
            if number == LongestTurn.events.erased { live.engine.user.identify("other") }
            lane.track("stored", parameters: ["number": .int(number), "text": .string(text)])
            guard number.isMultiple(of: 1_000) else { continue }
            live.makeRoom()
            if try LiveEngine.fileSize(in: directory) >= LongestTurn.backlog { break }
        }
        live.waitUntilStored()
    }

    private func run(_ work: Work, on engine: DeliveryEngine, _ lane: LaneID) async throws {
        switch work {
        case .erasure:
            let erased = try await engine.erase(user: "erased")
            guard erased >= LongestTurn.events.erased else { throw BenchmarkError("\(erased) events were erased") }
        case .refusal:
            engine.release(lane, reason: LongestTurn.hold)
            while await engine.statistics().allSatisfy({ $0.ledger.quarantined < LongestTurn.events.batch - 1 }) {
                try await Task.sleep(for: .milliseconds(10))
            }
            engine.hold(lane, reason: LongestTurn.hold)
        case .recovery:
            // A file size of 0 makes each write fail, like a removed device.
            ProcessUsage.limitFiles(to: 0)
            usleep(LongestTurn.outage)
            ProcessUsage.limitFiles(to: nil)
            await engine.storeBuffered()
        case .denial:
            try await engine.setConsent(.denied, for: .analytics)
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
