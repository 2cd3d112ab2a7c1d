public import CoreTracker
public import EventDelivery
public import EventTracking
public import Foundation
import Locks

/// An object that reports the app's life cycle to the delivery engine.
///
/// The app creates one at launch and keeps it.
///
/// ```swift
/// let delivery = AppDelivery(backgroundTask: ApplicationBackgroundTask(application))
/// delivery.listen(to: ApplicationSignals())
/// delivery.listen(to: NetworkSignals())
/// try await delivery.open(configuration)
/// ```
///
/// It flushes when the app leaves the foreground, in background time that it requests from the system. When the network
/// returns, it lets waiting lanes try again. It is optional: undelivered events are stored and sent at the next launch.
/// From its creation on, a session begins with a visit of the user, so a launch in the background and an extension have
/// none.
/// It tracks no events by itself, unless the app calls ``trackLifecycle(with:version:record:)``.
public final class AppDelivery: Sendable {
    private let engine: DeliveryEngine
    private let backgroundTask: any BackgroundTask
    private let timeout: Duration
    private let staysClosed: Bool
    private let sharesDirectory: Bool
    private let isInBackground = Atomic(false)
    private let lifecycle = AtomicLazyReference<AppLifecycle>()
    private let conditions: ConditionHolds
    private let decisions: KeptDecisions?
    private let sources = Mutex<[any AppSignalSource]>([])

    /// Creates an object for an engine.
    ///
    /// - Parameters:
    ///   - engine: The engine that the product's trackers use.
    ///   - backgroundTask: An `ApplicationBackgroundTask`, `ExtensionBackgroundTask` or `ActivityBackgroundTask`.
    ///   - timeout: The maximum duration of a flush. The system grants about 30 s, and ends an app that takes longer.
    ///   - sharesDirectory: Whether the directory belongs to an App Group. Its files are then closed while the app is
    ///     in the background, because iOS ends an app that it suspends with a locked file in such a directory.
    ///   - decisions: A file for the user's decisions that the engine cannot store at once, outside the engine's
    ///     directory. Each process needs a file of its own. With one, set each decision by ``setConsent(_:for:)``,
    ///     because the next start passes a kept decision to the engine again. Without one, such a decision ends with
    ///     the process.
    ///   - environment: The variables of the process, which show whether it is an Xcode preview or the host of unit
    ///     tests. A test of the app's own delivery passes an empty dictionary.
    public init(
        on engine: DeliveryEngine = .shared,
        backgroundTask: any BackgroundTask,
        timeout: Duration = .seconds(20),
        sharesDirectory: Bool = false,
        decisions: URL? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.engine = engine
        self.backgroundTask = backgroundTask
        self.timeout = timeout
        self.sharesDirectory = sharesDirectory
        self.decisions = decisions.map(KeptDecisions.init)
        conditions = ConditionHolds(engine)
        staysClosed =
            environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" || environment.keys.contains(where: AppDelivery.isOfXCTest)
        engine.awaitVisit()
    }

    /// Opens the engine, except in a preview or a unit test, and stores the decisions that an earlier launch could not
    /// store.
    ///
    /// These decisions are in effect from the first event on. If their file cannot be read, for example before the
    /// first unlock, each destination's lane is held with the reason `unread_decisions` until the file can be read or
    /// ``setConsent(_:for:)`` sets a decision about the lane's purpose. In a preview, and in an app that Xcode starts as
    /// the host of its unit tests, the engine stays closed, and no event is sent. A UI test starts the app as usual.
    ///
    /// - Parameter configuration: The directory, the destinations and the limits.
    /// - Throws: The errors of `DeliveryEngine.open(_:)`.
    public func open(_ configuration: DeliveryConfiguration) async throws(EngineError) {
        guard !staysClosed else { return }
        if let decisions {
            try await decisions.open(engine, configuration)
        } else {
            try await engine.open(configuration)
        }
        // The app may have left the foreground before there was a storage to suspend.
        if isInBackground.load(ordering: .sequentiallyConsistent) { await updateStorage() }
    }

    /// Sets the user's decision about a purpose, and keeps it for the next launch if the engine cannot store it.
    ///
    /// The decision takes effect at the call. If several calls are about one purpose, the last one is kept. The call
    /// returns when the engine has stored the decision, or cannot store it now; it then stores it as soon as it can.
    ///
    /// - Parameters:
    ///   - consent: The decision.
    ///   - purpose: The purpose.
    public func setConsent(_ consent: Consent, for purpose: ConsentPurpose) async {
        guard !staysClosed else { return }
        if let decisions {
            await decisions.set(consent, for: purpose, on: engine)
        } else {
            try? await engine.setConsent(consent, for: purpose)
        }
    }

    /// Listens to a source of signals as long as this object exists.
    ///
    /// - Parameter source: The source, which is started at once.
    public func listen(to source: any AppSignalSource) {
        source.start { [weak self] signal in self?.receive(signal) }
        sources.withLock { $0.append(source) }
    }

    /// Handles a signal, and returns at once.
    ///
    /// Sources call this function. An app whose life cycle has no source can call it too, for example an extension
    /// before it ends.
    ///
    /// - Parameter signal: The signal.
    public func receive(_ signal: AppSignal) {
        let (engine, timeout) = (engine, timeout)
        switch signal {
        case .becameActive:
            engine.beginVisit()
            lifecycle.load()?.becameActive(engine)
            leaveBackground()
            if let decisions { Task { await decisions.readAgain(for: engine) } }
        case .enteredBackground:
            engine.enterBackground()
            lifecycle.load()?.enteredBackground(engine)
            isInBackground.store(true, ordering: .sequentiallyConsistent)
            backgroundTask.run { [self] in
                _ = await engine.flush(timeout: timeout)
                await lifecycle.load()?.recordVersion(engine)
                await updateStorage()
            }
        case .enteringForeground:
            engine.enterForeground()
            leaveBackground()
        case .networkReturned: Task { await AppDelivery.tryAgain(engine) }
        case .conditionChanged(let condition, let isMet): conditions.update(condition, isMet: isMet)
        case .protectedDataBecameAvailable:
            Task { [decisions] in
                await decisions?.readAgain(for: engine)
                await engine.storeBuffered()
            }
        }
    }

    /// Holds lanes while a condition is met, such as an expensive network.
    ///
    /// A source must report the condition: `NetworkSignals` or `PowerSignals` on Apple's platforms, or the app's own
    /// ``AppSignalSource``.
    ///
    /// ```swift
    /// delivery.hold([lane], when: [.expensiveNetwork, .lowPower])
    /// ```
    ///
    /// - Parameters:
    ///   - lanes: The lanes, or `nil` for all lanes.
    ///   - conditions: The conditions. Any of them is enough.
    public func hold(_ lanes: Set<LaneID>? = nil, when conditions: Set<HoldReason>) {
        self.conditions.add(lanes, conditions)
    }

    /// Starts tracking the app's life cycle: ``AppFirstOpened``, ``AppUpdated``, ``AppOpened`` and ``AppBackgrounded``.
    ///
    /// Call it once, after ``open(_:)``. Further calls do nothing. If the app is already active, its events are tracked
    /// at once. If several objects observe one engine, each event of the life cycle is tracked by one of them. Any
    /// other version than the last one counts as an update, also an earlier one. On watchOS and macOS the app passes
    /// `.becameActive` to ``receive(_:)``.
    ///
    /// ```swift
    /// await delivery.trackLifecycle(with: DLTracker(), version: "2.4 (310)", record: record)
    /// ```
    ///
    /// - Parameters:
    ///   - tracker: The tracker that receives the events.
    ///   - version: The version of the app.
    ///   - record: A file for the version that ran last, outside the engine's directory. If it is damaged or cannot be
    ///     read, the run counts as neither a first one nor an update. It is written when the event is stored. If it
    ///     cannot be written, the next launch tracks the event again. Each process needs a file of its own.
    @concurrent
    public func trackLifecycle(with tracker: any CoreTracker, version: String, record: URL) async {
        let made = AppLifecycle(tracker: tracker, version: version, record: VersionRecord(file: record))
        guard lifecycle.storeIfNil(made) === made else { return }
        if engine.isVisited { made.becameActive(engine) }
    }

    /// Resumes the storage of a shared directory when the app leaves the background.
    ///
    /// A source may report `.becameActive` without `.enteringForeground`.
    private func leaveBackground() {
        isInBackground.store(false, ordering: .sequentiallyConsistent)
        Task { await updateStorage() }
    }

    /// Suspends or resumes the storage of a shared directory until it matches the app's state.
    private func updateStorage() async {
        guard sharesDirectory else { return }
        var wasInBackground: Bool
        repeat {
            wasInBackground = isInBackground.load(ordering: .sequentiallyConsistent)
            if wasInBackground { await engine.suspendStorage() } else { await engine.resumeStorage() }
        } while wasInBackground != isInBackground.load(ordering: .sequentiallyConsistent)
    }

    /// Whether a variable is one of those that Xcode gives to the host of unit tests.
    ///
    /// A version of Xcode may leave some of them out.
    private static func isOfXCTest(_ variable: String) -> Bool {
        ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"].contains(variable)
    }

    deinit {
        for source in sources.withLock({ $0 }) { source.stop() }
    }

    /// Ends pauses that the network may have caused, and skips back-offs.
    ///
    /// A wait that a receiver requested stays.
    private static func tryAgain(_ engine: DeliveryEngine) async {
        for lane in await engine.statistics() {
            switch lane.pauseReason {
            case .trust, .intercepted: await engine.resume(lane.id)
            case .credentials, .endpoint, .missingTable, .missingColumn, .protocolMismatch, nil: break
            }
        }
        _ = await engine.flush(timeout: .zero)
    }
}
