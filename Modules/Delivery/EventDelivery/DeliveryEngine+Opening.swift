public import CoreTracker
public import EventBuffer

/// An error that prevents an engine from being opened.
public enum EngineError: Error, Hashable, Sendable {
    /// Two destinations have the same lane.
    case duplicateLane(LaneID)
    /// The engine is already open.
    case alreadyOpen
    /// The engine was closed.
    ///
    /// An engine cannot be opened again; create a new one instead.
    case closed
}

extension EngineError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .duplicateLane(let lane): "two destinations have the lane \(lane)"
        case .alreadyOpen: "the delivery engine is already open"
        case .closed: "the delivery engine was closed and cannot be opened again; create a new one"
        }
    }
}

/// Opening an engine with the app's configuration, which names the storage and the receivers.
extension DeliveryEngine {
    /// Opens the engine, and stores the events that were tracked before.
    ///
    /// This is local and fast, even if the network is slow. An unusable directory is not an error: the engine then
    /// keeps events in memory, and sends a diagnostic.
    ///
    /// - Parameter configuration: The directory, the destinations and the limits.
    /// - Throws: ``EngineError/duplicateLane(_:)`` if two destinations have the same lane,
    ///   ``EngineError/alreadyOpen`` if the engine was opened before, or ``EngineError/closed`` if it was closed.
    public func open(_ configuration: DeliveryConfiguration) async throws(EngineError) {
        var seen: Set<LaneID> = []
        for destination in configuration.destinations where !seen.insert(destination.lane).inserted {
            throw .duplicateLane(destination.lane)
        }
        let engine = RunningEngine(buffer: buffer, diagnostics: diagnosticStream, configuration: configuration)
        guard open(engine) else { throw buffer.isClosed ? .closed : .alreadyOpen }
        await engine.start()
    }

    /// Opens the engine and keeps it open until the calling task is cancelled, then closes it.
    ///
    /// Use this on a server or in a command-line tool, in a task group beside the work. After the group is cancelled,
    /// the function flushes until the deadline, leaves other events on disk, and returns when the engine is closed.
    ///
    /// - Parameters:
    ///   - configuration: The directory, the destinations and the limits.
    ///   - deadline: The maximum time for the final flush.
    /// - Throws: The errors of `open(_:)`.
    public func run(
        _ configuration: DeliveryConfiguration,
        closingWithin deadline: Duration = .seconds(5)
    ) async throws(EngineError) {
        try await open(configuration)
        let (cancellation, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in cancellation {}
        await close(deadline: deadline)
    }
}
