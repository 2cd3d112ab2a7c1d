public import CoreTracker
import DeliveryLogging
public import EventTracking

/// An error that prevents an engine from being opened.
public enum EngineError: Error, Equatable, Sendable {
    /// Two destinations have the same lane.
    case duplicateLane(LaneID)
    /// A destination has a lane or a purpose with a name of more than 1,024 bytes.
    case nameTooLong(LaneID)
    /// There are more than 1,024 destinations.
    case tooManyDestinations(Int)
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
        case .nameTooLong(let lane): "a name of the lane \(lane), or of its purpose, has more than 1,024 bytes"
        case .tooManyDestinations(let count): "there are \(count) destinations, more than \(BufferLanes.maximum)"
        case .alreadyOpen: "the delivery engine is already open"
        case .closed: "the delivery engine was closed and cannot be opened again; create a new one"
        }
    }
}

/// Opening an engine with the app's configuration, which names the storage and the receivers.
extension DeliveryEngine {
    /// Opens the engine, and stores the events tracked before.
    ///
    /// This is local and fast, even if the network is slow. It is not an error if another process uses the directory,
    /// or if the directory cannot be used: the engine then keeps events in memory, and sends a diagnostic.
    ///
    /// - Parameter configuration: The directory, the destinations and the limits.
    /// - Throws: ``EngineError/duplicateLane(_:)`` if two destinations have the same lane,
    ///   ``EngineError/nameTooLong(_:)`` or ``EngineError/tooManyDestinations(_:)`` beyond a limit,
    ///   ``EngineError/alreadyOpen`` if the engine was opened before, or ``EngineError/closed`` if it was closed.
    public func open(_ configuration: DeliveryConfiguration) async throws(EngineError) {
        var seen: Set<LaneID> = []
        for destination in configuration.destinations where !seen.insert(destination.lane).inserted {
            throw .duplicateLane(destination.lane)
        }
        guard seen.count <= BufferLanes.maximum else { throw .tooManyDestinations(seen.count) }
        for destination in configuration.destinations
        where !destination.lane.isStorable || destination.purpose.name.utf8.count > CurrentDecisions.maximumNameBytes {
            throw .nameTooLong(destination.lane)
        }
        let engine = RunningEngine(buffer: buffer, configuration: configuration)
        guard attach(engine) else { throw buffer.isClosed ? .closed : .alreadyOpen }
        buffer.observation.begin(configuration.log.observer(with: buffer.clock))
        let receivers = configuration.destinations.map(\.sampleRequest.url).filter(\.isUnencrypted).map(\.hostAndPort)
        if !receivers.isEmpty { buffer.diagnostics.send(.unencrypted(receivers: Set(receivers).sorted(by: \.self))) }
        await engine.start()
    }

    /// Opens the engine and keeps it open until the calling task is cancelled, then closes it.
    ///
    /// Use this on a server or in a command-line tool, in a task group beside the work. After the group is cancelled,
    /// the function flushes until the timeout, leaves other events on disk, and returns when the engine is closed.
    /// To end on SIGTERM, use `runUntilSignal(_:signals:closingWithin:_:)` instead.
    ///
    /// - Parameters:
    ///   - configuration: The directory, the destinations and the limits.
    ///   - timeout: The maximum time for the final flush.
    /// - Throws: The errors of `open(_:)`.
    public func run(
        _ configuration: DeliveryConfiguration,
        closingWithin timeout: Duration = .seconds(5)
    ) async throws(EngineError) {
        try await open(configuration)
        let (cancellation, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in cancellation {}
        await close(timeout: timeout)
    }
}
