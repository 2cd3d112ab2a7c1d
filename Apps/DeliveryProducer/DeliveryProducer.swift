import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import InspectorClient

/// A process that tracks events durably and says so line by line, for tests that kill it and for soak runs.
///
/// What it sends are the lines of `LineDestination`, those of each user in requests of their own; each event's
/// properties are `number`, `process` and `padding`. The number of a process that suspends its storage is odd.
@main
struct DeliveryProducer {
    private let options: ProducerOptions
    private let output = LineOutput()
    private let engine = DeliveryEngine()
    /// Tells processes apart for longer than the system's identifiers do, which come again within minutes of a soak.
    private let processNumber: Int

    private init(_ options: ProducerOptions) {
        self.options = options
        processNumber = Int.random(in: 0..<1 << 52) * 2 + (options.suspendEvery > 0 ? 1 : 0)
    }

    static func main() async {
        guard let options = ProducerOptions(Array(CommandLine.arguments.dropFirst())) else {
            FileHandle.standardError.write(Data(ProducerOptions.usage.utf8))
            exit(2)
        }
        do {
            try await DeliveryProducer(options).run()
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private func run() async throws {
        if options.killAtCall > 0 { KillPoint.arm(atCall: options.killAtCall) }
        try await open()
        if let time = options.exitAfter { await exitEarly(after: time) }
        if options.resumes { await engine.resume() }
        await reset()
        let suspending = Task { await suspend() }
        await track()
        suspending.cancel()
        await suspending.value
        if options.holds {
            output.write("H")
            // Whoever has asked for it kills the process long before.
            try await Task.sleep(for: .seconds(600))
        }
        _ = await engine.flush(deadline: .seconds(options.deadline))
        let ledgers = await engine.statistics().map(ProducerLedger.init)
        await engine.close(deadline: .zero)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        output.write("D")
        output.write(String(decoding: try encoder.encode(ledgers), as: UTF8.self))
    }

    /// Ends the process while a first request sets up the transport: an event's, or the last report to an inspector.
    ///
    /// The handler registered here runs after those that libraries register. It gives threads that still run the time
    /// to use what a library has freed.
    private func exitEarly(after microseconds: Int) async -> Never {
        atexit { usleep(10_000) }
        if options.inspector == nil {
            engine.lane(laneIDs[0]).track("produced", parameters: [:])
        } else {
            await engine.close(deadline: .zero)
        }
        usleep(UInt32(clamping: microseconds))
        exit(0)
    }

    /// Makes the installation another one, again and again.
    private func reset() async {
        guard let count = options.resets else { return }
        output.write("I \(engine.identity.deviceID)")
        for _ in 0..<count {
            await engine.reset()
            output.write("I \(engine.identity.deviceID)")
        }
    }

    private var laneIDs: [LaneID] {
        (1...options.lanes).map { LaneID(product: "P", service: "lane\($0)") }
    }

    private func open() async throws {
        let destinations = laneIDs.enumerated().map { index, lane in
            // Where there is an order, the engine sends one request at a time, whatever the limits allow.
            LineDestination(
                lane: lane,
                order: options.isUnordered && index % 2 == 1 ? .none : .session,
                limits: BatchLimits(events: 500, bodyBytes: 1_000_000, framingBytes: 500, inFlight: 4),
                endpoint: options.endpoint,
                isKeyedByUser: true
            )
        }
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        var configuration = DeliveryConfiguration(
            directory: options.queue,
            destinations: destinations,
            transport: PlatformTransport(),
            // A receiver that is slower than the producer is no reason to lose anything here.
            budget: DeliveryBudget(events: 10_000_000, bytes: 4_000_000_000)
        )
        if let link = options.inspector { configuration = try configuration.inspected(at: link, of: engine) }
        try await engine.open(configuration)
        while let diagnostic = await diagnostics.next() {
            if case .opened(let pending) = diagnostic { return output.write("O \(pending)") }
        }
    }

    /// Tracks all events, with a bound on those whose receipts are outstanding.
    private func track() async {
        let lanes = laneIDs.map(engine.lane)
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<options.count {
                if number >= options.window { await group.next() }
                if options.rate > 0 {
                    try? await Task.sleep(until: start + .seconds(number) / options.rate)
                }
                if options.switchEvery > 0, number % options.switchEvery == 0 {
                    await switchUser(turn: number / options.switchEvery)
                }
                let lane = lanes[number % lanes.count]
                group.addTask { await track(number, on: lane) }
            }
        }
    }

    /// Gives the files back and takes them up again until the task is cancelled.
    private func suspend() async {
        guard options.suspendEvery > 0 else { return }
        func wait() async { try? await Task.sleep(for: .milliseconds(Int.random(in: 0...options.suspendEvery))) }
        while !Task.isCancelled {
            await wait()
            await engine.suspendStorage()
            await wait()
            await engine.resumeStorage()
        }
    }

    /// Signs in, signs out, signs in as someone else or resets, while earlier events still wait for their receipts.
    private func switchUser(turn: Int) async {
        switch turn % 4 {
        case 0: engine.identify(user: "A")
        case 1: engine.clearUser()
        case 2: engine.identify(user: "B")
        default: await engine.reset()
        }
    }

    private func track(_ number: Int, on lane: DeliveryLane) async {
        let receipt = await lane.track(
            "produced",
            parameters: [
                "number": .int(number),
                "process": .int(processNumber),
                "padding": .string(String(repeating: "x", count: options.padding)),
            ],
            options: TrackOptions(durability: options.durability),
            until: .persisted
        )
        switch receipt.outcome {
        case .persisted: output.write("R \(receipt.id)")
        case .lost(let reason): output.write("L \(reason)")
        }
    }
}
