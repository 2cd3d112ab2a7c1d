public import EventDelivery
public import Foundation
import Locks

/// Tells the delivery engine what happens to the app; the app makes one when it starts, and keeps it.
///
/// It flushes when the app leaves the foreground, in time that it asks the system for, and lets lanes that wait try
/// again when the network is back. Correctness does not rest on it: what is not delivered is stored, and goes with the
/// next start. It captures no event by itself.
public final class AppDelivery: Sendable {
    private let engine: DeliveryEngine
    private let time: any BackgroundTime
    private let deadline: Duration
    private let isPreview: Bool
    private let sharesDirectory: Bool
    private let isInBackground = Atomic(false)
    private let sources = Mutex<[any AppSignalSource]>([])

    /// Creates the object that the app keeps.
    ///
    /// - Parameters:
    ///   - engine: The engine that the product's trackers use.
    ///   - time: What grants time in the background: `ApplicationTime`, `ExtensionTime` or `ActivityTime`.
    ///   - deadline: How long a flush may take; the system grants about 30 s, and ends an app that takes more.
    ///   - sharesDirectory: Whether the directory is an App Group's. Its files are given back then while the app is in
    ///     the background, since iOS ends an app that it suspends with a locked file in such a directory.
    ///   - environment: The variables of the process, which say whether Xcode shows a preview.
    public init(
        engine: DeliveryEngine = .shared,
        time: any BackgroundTime,
        deadline: Duration = .seconds(20),
        sharesDirectory: Bool = false,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.engine = engine
        self.time = time
        self.deadline = deadline
        self.sharesDirectory = sharesDirectory
        isPreview = environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1"
    }

    /// Opens the engine, except in a preview: there it stays as it is, and nothing is ever sent.
    public func open(_ configuration: DeliveryConfiguration) async throws(ConfigurationError) {
        guard !isPreview else { return }
        try await engine.open(configuration)
    }

    /// Listens to a source of signals for as long as this object lives.
    public func listen(to source: any AppSignalSource) {
        source.start { [weak self] signal in self?.receive(signal) }
        sources.withLock { $0.append(source) }
    }

    /// Does what a signal calls for; returns at once.
    ///
    /// Sources call it, and so may an app with a life cycle of its own, such as an extension that is about to end.
    public func receive(_ signal: AppSignal) {
        let (engine, deadline) = (engine, deadline)
        switch signal {
        case .enteredBackground:
            isInBackground.store(true, ordering: .sequentiallyConsistent)
            time.run { [self] in
                _ = await engine.flush(deadline: deadline)
                await settleStorage()
            }
        case .enteringForeground:
            isInBackground.store(false, ordering: .sequentiallyConsistent)
            Task { await settleStorage() }
        case .networkReturned: Task { await AppDelivery.tryAgain(engine) }
        case .protectedDataBecameAvailable: Task { await engine.persist() }
        }
    }

    /// Gives the files of a shared directory back, or takes them up again, until that agrees with where the app is.
    private func settleStorage() async {
        guard sharesDirectory else { return }
        var wasInBackground: Bool
        repeat {
            wasInBackground = isInBackground.load(ordering: .sequentiallyConsistent)
            if wasInBackground { await engine.suspendStorage() } else { await engine.resumeStorage() }
        } while wasInBackground != isInBackground.load(ordering: .sequentiallyConsistent)
    }

    deinit {
        for source in sources.withLock({ $0 }) { source.stop() }
    }

    /// Ends the pauses that the network may have caused, and skips back-offs; a receiver's own wait stays.
    private static func tryAgain(_ engine: DeliveryEngine) async {
        for lane in await engine.statistics() {
            switch lane.pauseReason {
            case .trust, .intercepted: await engine.resume(lane.id)
            case .credentials, .endpoint, .missingTable, .missingColumn, .protocolMismatch, nil: break
            }
        }
        _ = await engine.flush(deadline: .zero)
    }
}
