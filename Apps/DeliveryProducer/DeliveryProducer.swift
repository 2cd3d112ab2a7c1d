import CoreTracker
import EventDelivery
import EventDeliveryTesting
import FormatChanges
import Foundation
import InspectorClient
import Locks
import OptionParsing
import ProfileUpdates

/// A process that tracks events durably and prints a line for each step, for tests that kill it and for soak runs.
///
/// It sends the lines of `LineDestination`, with separate requests for each user. Each event has the parameters
/// `number`, `process` and `padding`. The process number is odd if the process suspends its storage.
///
/// With `--features`, a middleware renames a parameter to `number`, and another one drops some events. Events in a
/// scope and traits have the parameter `expected`, which is their user.
@main
struct DeliveryProducer {
    private let options: ProducerOptions
    private let output: LineOutput
    private let check: FeatureCheck
    private let engine = DeliveryEngine()
    /// A process number, unique for longer than the system's identifiers, which repeat within minutes of a soak run.
    private let processNumber: Int

    /// The user whose events are erased.
    private static let erasedUser = "S0"
    /// The maximum number of requests begun before a hold: one on a lane with order, and four on a lane without.
    private static let concurrentRequests = 5

    private init(_ options: ProducerOptions) {
        self.options = options
        output = LineOutput()
        check = FeatureCheck(output)
        processNumber = Int.random(in: 0..<1 << 52) * 2 + (options.suspendEvery > 0 ? 1 : 0)
    }

    static func main() async {
        let options = ProducerOptions.ofProcess()
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
        try await setQuotas()
        await identify()
        let tasks = [Task { await suspend() }, Task { await holdAndErase() }, Task { await decide() }]
        await track()
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        if options.holds {
            output.write("H")
            // The parent process kills this process long before.
            try await Task.sleep(for: .seconds(600))
        }
        _ = await engine.flush(timeout: .seconds(options.deadline))
        let ledgers = await engine.statistics().map(ProducerLedger.init)
        await engine.close(timeout: .zero)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        output.write("D")
        output.write(String(decoding: try encoder.encode(ledgers), as: UTF8.self))
    }

    /// Ends the process while the transport is being set up for its first request: an event or the last report to an
    /// inspector.
    ///
    /// This function registers an exit handler, which runs after all exit handlers registered later by libraries. The
    /// handler gives running threads time to use memory freed by a library.
    private func exitEarly(after microseconds: Int) async -> Never {
        atexit { usleep(10_000) }
        if options.inspector == nil {
            engine.lane(laneIDs[0]).track("produced", parameters: [:])
        } else {
            await engine.close(timeout: .zero)
        }
        usleep(UInt32(clamping: microseconds))
        exit(0)
    }

    /// Resets the identity a number of times.
    private func reset() async {
        guard let count = options.resets else { return }
        output.write("I \(engine.identity.deviceID)")
        for _ in 0..<count {
            await engine.reset()
            output.write("I \(engine.identity.deviceID)")
        }
    }

    /// Passes a number of quotas documents to the engine, one after another.
    private func setQuotas() async throws {
        for number in 1...max(1, options.documents) where options.documents > 0 {
            try await engine.setQuotas(document: #"{"version": 1, "products": {"P": {"perMinute": \#(number)}}}"#.utf8)
            output.write("A \(number)")
        }
    }

    /// Sends traits of a number of users, and waits each time until they are stored.
    private func identify() async {
        for number in 0..<options.users {
            engine.user.identify("user\(number)", traits: ["number": .int(number), "process": .int(processNumber)])
            await engine.storeBuffered()
            output.write("T user\(number)")
        }
    }

    private var laneIDs: [LaneID] {
        (1...options.lanes).map { LaneID(product: "P", service: "lane\($0)") }
    }

    private func open() async throws {
        let destinations = laneIDs.enumerated().map { index, lane in
            // If order matters, the engine sends one request at a time regardless of `inFlight`.
            LineDestination(
                lane: lane,
                order: options.isUnordered && index % 2 == 1 ? .none : .session,
                limits: BatchLimits(events: 500, bodyBytes: 1_000_000, framingBytes: 500, inFlight: 4),
                endpoint: options.endpoint,
                updates: [.traits],
                isKeyedByUser: true
            )
        }
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        var configuration = DeliveryConfiguration(
            directory: options.queue,
            destinations: destinations,
            transport: check
        )
        // The budget prevents loss if the receiver is slower than the producer.
        configuration.budget = DeliveryBudget(events: 10_000_000, bytes: 4_000_000_000)
        configuration.middleware = options.usesFeatures ? [KeyRename(["n": "number"]), DropRule()] : []
        configuration.log = .off
        if let link = options.inspector { configuration = try configuration.inspected(at: link, on: engine) }
        try await engine.open(configuration)
        while let diagnostic = await diagnostics.next() {
            switch diagnostic {
            case .opened(let pending): return output.write("O \(pending)")
            // Its events wait until the directory is free.
            case .storageFailed(.directoryInUse): return output.write("W")
            // The disk refuses changes, and the engine is open without them.
            case .storageFailed: return
            default: break
            }
        }
    }

    /// Tracks all events, with a limit on outstanding receipts.
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

    /// Suspends and resumes the storage until the task is cancelled.
    private func suspend() async {
        guard options.suspendEvery > 0 else { return }
        while !Task.isCancelled {
            await wait(options.suspendEvery)
            await engine.suspendStorage()
            await wait(options.suspendEvery)
            await engine.resumeStorage()
        }
    }

    /// Holds the lanes and erases a user at random times until the task is cancelled.
    private func holdAndErase() async {
        while options.usesFeatures, !Task.isCancelled {
            await wait(60)
            for lane in laneIDs { engine.hold(lane, reason: .maintenance) }
            let before = check.started
            await wait(60)
            // It throws while the storage is suspended or another process uses the directory.
            let isErased = (try? await check.erase { try await engine.erase(user: Self.erasedUser) }) != nil
            if isErased { output.write("U erasure") }
            let count = check.started - before
            engine.release(reason: .maintenance)
            output.write(count > Self.concurrentRequests ? "X \(count) requests start during a hold" : "U hold")
        }
    }

    /// Denies and grants consent in turn until the task is cancelled.
    ///
    /// Before each denial, it tracks marked events.
    private func decide() async {
        guard options.decides else { return }
        let lanes = laneIDs.map(engine.lane)
        var (consent, turn) = (lanes[0].isConsentDenied ? Consent.denied : .granted, 0)
        output.write("C \(consent)")
        while !Task.isCancelled {
            turn += 1
            consent = consent == .denied ? .granted : .denied
            let mark = "\(processNumber)-\(turn)"
            for number in 0..<20 where consent == .denied {
                lanes[number % lanes.count].track("marked", parameters: ["mark": .string("MARK-\(mark)")])
            }
            await wait(20)
            output.write("B \(consent) \(mark)")
            do throws(DecisionError) {
                try await engine.setConsent(consent, for: .analytics)
                output.write("S \(consent) \(mark) clean")
            } catch .notYetClean {
                output.write("S \(consent) \(mark) unclean")
            } catch {
                output.write("F \(consent) \(mark)")
            }
        }
    }

    private func wait(_ milliseconds: Int) async {
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0...milliseconds)))
    }

    /// Signs in, signs out or resets while earlier events still wait for their receipts.
    private func switchUser(turn: Int) async {
        switch turn % 4 {
        case 0 where options.usesFeatures:
            engine.user.identify("A", traits: ["turn": .int(turn), "expected": "A"])
        case 0: engine.user.identify("A")
        case 1: engine.user.clear()
        case 2: engine.user.identify("B")
        default: await engine.reset()
        }
    }

    private func track(_ number: Int, on lane: DeliveryLane) async {
        var parameters: EventParameters = [
            options.usesFeatures ? "n" : "number": .int(number),
            "process": .int(processNumber),
            "padding": .string(String(repeating: "x", count: options.padding)),
        ]
        let track = { (parameters: EventParameters) in
            await lane.trackUntilStored(
                "produced",
                parameters: parameters,
                options: TrackOptions(durability: options.durability)
            )
        }
        if options.usesFeatures, number % 11 == 5 { parameters["drop"] = true }
        let receipt: Receipt
        let user = options.usesFeatures && number % 40 < 6 ? "S\(number / 2 % 3)" : nil
        if let user {
            parameters["expected"] = .string(user)
            receipt = await withTracking(user: user, parameters: ["scope": .string(user)]) { await track(parameters) }
        } else {
            receipt = await track(parameters)
        }
        switch receipt.dropReason {
        case nil where user == Self.erasedUser: check.store(receipt.id)
        case nil: output.write("R \(receipt.id)")
        case .erased? where user != Self.erasedUser: output.write("X \(receipt.id) of another user is erased")
        case let reason?: output.write("L \(reason)")
        }
    }
}

/// An unbuffered standard output.
///
/// A line is in the pipe when the call returns, and threads do not mix their lines.
final class LineOutput: Sendable {
    private let lock = Mutex(())

    func write(_ line: String) {
        lock.withLock { _ in FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
    }
}

/// A lane's ledger in the form for the producer's output.
struct ProducerLedger: Encodable {
    let lane: String
    let forReplacement: Int
    let accepted: Int
    let delivered: Int
    let pending: Int
    let quarantined: Int
    let dropped: [String: Int]

    init(_ statistics: LaneStatistics) {
        lane = statistics.id.description
        forReplacement = statistics.pendingAtOpen
        accepted = statistics.ledger.accepted
        delivered = statistics.ledger.delivered
        pending = statistics.ledger.pending
        quarantined = statistics.ledger.quarantined
        dropped = Dictionary(statistics.ledger.dropped.map { ($0.key.name, $0.value) }, uniquingKeysWith: +)
    }
}
