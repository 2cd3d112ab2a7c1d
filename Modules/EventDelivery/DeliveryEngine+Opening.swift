import CoreTracker
public import EventBuffer
public import HTTPTransport

/// Opening an engine, with what only the app knows: where it stores events and who receives them.
extension DeliveryEngine {
    /// Opens the engine: local and quick, whatever the network does.
    ///
    /// What was tracked before is stored now.
    ///
    /// A directory that cannot be used is not an error: events are kept in memory, and a diagnostic says so.
    public func open(_ configuration: DeliveryConfiguration) async throws(ConfigurationError) {
        var seen: Set<LaneID> = []
        for destination in configuration.destinations where !seen.insert(destination.lane).inserted {
            throw .duplicateLane(destination.lane)
        }
        let engine = RunningEngine(intake: intake, diagnostics: diagnosticStream, configuration: configuration)
        guard open(engine) else { throw intake.isClosed ? .closed : .alreadyOpen }
        await engine.start()
    }

    /// Opens the engine and keeps it open until the task that calls this is cancelled, then closes it.
    ///
    /// For a server or a command-line tool: run it in a task group beside the work; cancelling the group flushes for as
    /// long as the deadline says and leaves the rest on disk. It returns when the engine is closed.
    public func run(
        _ configuration: DeliveryConfiguration,
        closingWithin deadline: Duration = .seconds(5)
    ) async throws(ConfigurationError) {
        try await open(configuration)
        let (cancellation, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in cancellation {}
        await close(deadline: deadline)
    }
}
