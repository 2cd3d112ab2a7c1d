import AppTracking
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventOutbox
import Foundation
import Locks
import Testing

#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif

@Suite(.timeLimit(.minutes(5))) struct AppDeliveryTests {
    private let lane = LineDestination().lane

    @Test func `entering the background requests time before the call returns, and flushes`() async throws {
        let (task, engine) = (ManualBackgroundTask(), DeliveryEngine(clock: TestClock()))
        let transport = ScriptedTransport { _, number in .respond(HTTPResponse(status: number == 1 ? 503 : 200)) }
        let delivery = makeDelivery(engine, task)
        let diagnostics = engine.diagnostics()
        try await delivery.open(configuration(transport))
        engine.lane(lane).track("viewed", parameters: [:])
        await failure(in: diagnostics, of: engine)

        delivery.receive(.enteredBackground)
        let count = task.count
        await task.ended()

        #expect(count == 1)
        #expect(transport.requests.count == 2)
        #expect(await engine.statistics().map(\.ledger.delivered) == [1])
    }

    @Test func `without time in the background, a shared directory is released in spite of a request`() async throws {
        let (queue, transport) = (try TemporaryQueue(), ScriptedTransport { _, _ in .hang })
        let (task, engine) = (ManualBackgroundTask(isGranted: false), DeliveryEngine(clock: TestClock()))
        let delivery = AppDelivery(on: engine, backgroundTask: task, sharesDirectory: true, environment: [:])
        try await delivery.open(configuration(transport, directory: queue.url))
        engine.lane(lane).track("viewed", parameters: [:])
        await transport.requests(count: 1)

        delivery.receive(.enteredBackground)
        await task.ended()

        let other = DeliveryEngine(clock: TestClock())
        try await other.open(configuration(ScriptedTransport(), directory: queue.url))
        #expect(await other.statistics().map(\.storageFailure) == [nil])
        await other.close(timeout: .zero)
        await engine.close(timeout: .zero)
    }

    @Test(arguments: [
        (ScriptedTransport.Action.fail(.untrusted), true), (.fail(.connectionFailed(code: -1200)), true),
        (.respond(HTTPResponse(status: 302)), true), (.respond(HTTPResponse(status: 401)), false),
    ])
    func `when the network returns, lanes behind a captive portal retry, but not those with refused credentials`(
        action: ScriptedTransport.Action,
        isTriedAgain: Bool
    ) async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let transport = ScriptedTransport { _, number in
            number == 1 ? action : .respond(HTTPResponse(status: 200))
        }
        let delivery = makeDelivery(engine)
        let diagnostics = engine.diagnostics()
        try await delivery.open(configuration(transport))
        engine.lane(lane).track("viewed", parameters: [:])
        await failure(in: diagnostics, of: engine)

        delivery.receive(.networkReturned)
        if isTriedAgain { await transport.requests(count: 2) }
        let report = await engine.flush(timeout: .seconds(1))

        #expect(report.isDrained == isTriedAgain)
        #expect(transport.requests.count == (isTriedAgain ? 2 : 1))
    }

    @Test func `lanes are held while one of their conditions is met, and no other lane is`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let delivery = makeDelivery(engine)
        let other = engine.lane(LaneID(product: "T", service: "other")).id
        try await delivery.open(configuration(ScriptedTransport()))
        delivery.hold([lane], when: [.expensiveNetwork, .lowPower])

        var seen: [[Set<HoldReason>]] = []
        for (condition, isMet) in [
            (HoldReason.expensiveNetwork, true), (.lowPower, true), (.constrainedNetwork, true),
            (.expensiveNetwork, false), (.lowPower, false),
        ] {
            delivery.receive(.conditionChanged(condition, isMet: isMet))
            seen.append(await engine.statistics().map(\.holdReasons))
        }
        delivery.hold(when: [.constrainedNetwork])

        #expect(await engine.statistics().map(\.id) == [lane, other])
        #expect(
            seen == [
                [[.expensiveNetwork], []], [[.expensiveNetwork, .lowPower], []],
                [[.expensiveNetwork, .lowPower], []], [[.lowPower], []], [[], []],
            ]
        )
        #expect(await engine.statistics().map(\.holdReasons) == [[.constrainedNetwork], [.constrainedNetwork]])
    }

    @Test func `the first unlock stores the events that could not be stored before`() async throws {
        let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: place) }
        try Data().write(to: place)
        let engine = DeliveryEngine(clock: TestClock())
        let delivery = makeDelivery(engine)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await delivery.open(configuration(ScriptedTransport { _, _ in .hang }, directory: place))
        engine.lane(lane).track("viewed", parameters: [:])

        try FileManager.default.removeItem(at: place)
        delivery.receive(.protectedDataBecameAvailable)

        let recovered = await diagnostics.next { $0 == .storageRecovered }
        #expect(recovered != nil)
        #expect(FileStatus.isRegular(at: TemporaryQueue.path(in: place)))
    }

    @Test(arguments: [AppSignal.enteringForeground, .becameActive])
    func `a shared directory is released in the background after the flush, and reopened afterwards`(
        signal: AppSignal
    ) async throws {
        let (task, engine, queue) = (ManualBackgroundTask(), DeliveryEngine(clock: TestClock()), try TemporaryQueue())
        let transport = ScriptedTransport()
        let delivery = AppDelivery(on: engine, backgroundTask: task, sharesDirectory: true, environment: [:])
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await delivery.open(configuration(transport, directory: queue.url))
        engine.lane(lane).track("viewed", parameters: [:])

        delivery.receive(.enteredBackground)
        await task.ended()
        let inBackground = await engine.statistics().map(\.storageFailure)
        try SQLiteOutbox(path: queue.path).close()
        delivery.receive(signal)
        let recovered = await diagnostics.next { $0 == .storageRecovered }

        #expect(transport.requests.count == 1)
        #expect(inBackground == [.suspended])
        #expect(recovered != nil)
    }

    @Test func `a shared directory is released if the app enters the background before it is opened`() async throws {
        let (task, engine, queue) = (ManualBackgroundTask(), DeliveryEngine(clock: TestClock()), try TemporaryQueue())
        let delivery = AppDelivery(on: engine, backgroundTask: task, sharesDirectory: true, environment: [:])
        engine.lane(lane).track("viewed", parameters: [:])

        delivery.receive(.enteredBackground)
        await task.ended()
        try await delivery.open(configuration(ScriptedTransport { _, _ in .hang }, directory: queue.url))

        #expect(await engine.statistics().map(\.storageFailure) == [.suspended])
        try SQLiteOutbox(path: queue.path).close()
    }

    @Test(arguments: [AppSignal.enteringForeground, .becameActive])
    func `an app that returns before its flush has ended keeps its files open`(signal: AppSignal) async throws {
        let (task, engine, queue) = (ManualBackgroundTask(), DeliveryEngine(clock: TestClock()), try TemporaryQueue())
        let delivery = AppDelivery(on: engine, backgroundTask: task, sharesDirectory: true, environment: [:])
        try await delivery.open(configuration(ScriptedTransport(), directory: queue.url))

        for _ in 1...20 {
            delivery.receive(.enteredBackground)
            delivery.receive(signal)
        }
        await task.ended()

        while await engine.statistics().contains(where: { $0.storageFailure != nil }) { await Task.yield() }
        #expect(throws: OutboxError.busy) { try SQLiteOutbox(path: queue.path) }
    }

    @Test(arguments: [
        ("XCODE_RUNNING_FOR_PREVIEWS", "1"), ("XCTestConfigurationFilePath", ""), ("XCTestBundlePath", "a.xctest"),
        ("XCTestSessionIdentifier", "0F1E"),
    ])
    func `a preview and the host of unit tests never open the engine`(variable: String, value: String) async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let transport = ScriptedTransport()
        let delivery = makeDelivery(engine, environment: [variable: value])

        try await delivery.open(configuration(transport))
        engine.lane(lane).track("viewed", parameters: [:])
        let report = await engine.flush(timeout: .seconds(1))

        #expect(report.lanes.map(\.outcome) == [.notOpen])
        #expect(transport.requests.isEmpty)
    }

    @Test func `a thread at the end of an app waits until the events are stored, and no longer than its limit`()
        async throws
    {
        let engine = DeliveryEngine()
        let queue = try TemporaryQueue()
        try await engine.open(configuration(ScriptedTransport { _, _ in .hang }, directory: queue.url))
        engine.lane(lane).track("viewed", parameters: [:], options: TrackOptions(durability: .relaxed))

        let (isStored, status, isLate) = await onThread {
            let isStored = engine.storeBuffered(blockingFor: .seconds(60))
            engine.storeBuffered(blockingFor: .seconds(1))
            let start = ContinuousClock.now
            engine.storeBuffered(blockingFor: .seconds(-1))
            return (isStored, engine.recentEvents().first?.id, ContinuousClock.now - start > .seconds(30))
        }

        #expect(isStored)
        #expect(!isLate)
        #expect(await engine.explain(try #require(status))?.status != .buffered)
        await engine.close(timeout: .zero)
    }

    @Test func `the signals of a source are handled as long as the object exists`() async {
        let (signals, task) = (ManualSignals(), ManualBackgroundTask())
        var delivery: AppDelivery? = makeDelivery(DeliveryEngine(clock: TestClock()), task)
        delivery?.listen(to: signals)

        signals.send(.enteredBackground)
        await task.ended()
        let wasStarted = signals.isStarted
        delivery = nil
        signals.send(.enteredBackground)

        #expect(wasStarted)
        #expect(!signals.isStarted)
        #expect(task.count == 1)
    }

    private func makeDelivery(
        _ engine: DeliveryEngine,
        _ task: ManualBackgroundTask = ManualBackgroundTask(),
        environment: [String: String] = [:]
    ) -> AppDelivery {
        AppDelivery(on: engine, backgroundTask: task, timeout: .seconds(5), environment: environment)
    }

    private func configuration(_ transport: ScriptedTransport, directory: URL? = nil) -> DeliveryConfiguration {
        DeliveryConfiguration(directory: directory, destinations: [LineDestination()], transport: transport)
    }

    /// Waits until a request has failed temporarily, or a lane's statistics report a pause.
    private func failure(in diagnostics: AsyncStream<Diagnostic>, of engine: DeliveryEngine) async {
        for await diagnostic in diagnostics {
            switch diagnostic {
            case .retrying: return
            case .paused:
                while await engine.statistics().allSatisfy({ $0.pauseReason == nil }) { await Task.yield() }
                return
            default: continue
            }
        }
    }
}

#if canImport(UIKit) && !os(watchOS)
@MainActor
func makeDelivery(_ application: UIApplication) -> AppDelivery {
    let delivery = AppDelivery(backgroundTask: ApplicationBackgroundTask(application))
    delivery.listen(to: ApplicationSignals())
    delivery.listen(to: NetworkSignals())
    return delivery
}

@MainActor
func openEngine(_ configuration: DeliveryConfiguration, for application: UIApplication, in folder: URL) async throws {
    let delivery = AppDelivery(
        backgroundTask: ApplicationBackgroundTask(application),
        decisions: folder.appending(path: "decisions")
    )
    try await delivery.open(configuration)
    await delivery.setConsent(.denied, for: .analytics)
}
#endif

/// A source of signals for tests.
final class ManualSignals: AppSignalSource {
    private let handler = Mutex<(@Sendable (AppSignal) -> Void)?>(nil)

    func start(_ handler: @escaping @Sendable (AppSignal) -> Void) {
        self.handler.withLock { $0 = handler }
    }

    func stop() {
        handler.withLock { $0 = nil }
    }

    /// Whether the signals have a handler.
    var isStarted: Bool { handler.withLock { $0 != nil } }

    func send(_ signal: AppSignal) {
        handler.withLock { $0 }?(signal)
    }
}

/// A background task whose time never expires.
final class ManualBackgroundTask: BackgroundTask {
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let isGranted: Bool

    init(isGranted: Bool = true) {
        self.isGranted = isGranted
    }

    func run(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        if !isGranted { task.cancel() }
        tasks.withLock { $0.append(task) }
    }

    /// The number of requests for time.
    var count: Int { tasks.withLock { $0.count } }

    /// Waits until all work has ended.
    func ended() async {
        for task in tasks.withLock({ $0 }) { await task.value }
    }
}

/// Runs a block on a thread that may wait.
private func onThread<Result: Sendable>(_ block: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: block()) }.start()
    }
}
