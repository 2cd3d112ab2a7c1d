extension DeliveryEngine {
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
