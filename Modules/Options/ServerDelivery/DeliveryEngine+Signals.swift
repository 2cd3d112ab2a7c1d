import CLibrary
import Dispatch
public import EventDelivery
public import EventTracking
import Locks

/// Running a server until the supervisor ends it.
extension DeliveryEngine {
    /// Opens the engine, runs a server until it ends or a signal arrives, then closes the engine.
    ///
    /// A signal, or cancelling the calling task, cancels the server's task. The server has half of the timeout to end.
    /// The engine then delivers events until a second before the timeout, leaves the others on disk, and is closed.
    /// The function returns in time, even if the server does not end. The process can then exit with status 0, unless
    /// the report has events dropped as `closed` or `storageFull`. Until the function returns, the signals do not
    /// terminate the process, and further signals are ignored. On Linux, they are ignored afterwards too, because
    /// libdispatch has replaced their action.
    ///
    /// ```swift
    /// try await engine.runUntilSignal(configuration, closingWithin: .seconds(20)) {
    ///     try await server.run()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: The directory, the destinations and the limits.
    ///   - signals: The numbers of the signals. By default, they are SIGTERM and SIGINT.
    ///   - timeout: The maximum time from the signal, or from the end of the opening if that is later, until the
    ///     function returns, at least two seconds. Keep it below the supervisor's time limit, often 30 s.
    ///   - serve: The work of the server, which returns or throws when its task is cancelled.
    /// - Returns: The report of the final flush.
    /// - Throws: The errors of `open(_:)`, or the error of the server, except `CancellationError`.
    @discardableResult
    public func runUntilSignal(
        _ configuration: DeliveryConfiguration,
        signals: Set<Int32> = [15, 2],
        closingWithin timeout: Duration,
        _ serve: @escaping @Sendable () async throws -> Void
    ) async throws -> FlushReport {
        let (stop, stopping) = AsyncStream.makeStream(of: Never.self)
        var sources: [SignalSource] = []
        for number in signals { sources.append(await SignalSource(number) { stopping.finish() }) }
        defer { for source in sources { source.cancel() } }
        try await open(configuration)
        let server = buffer.runtime.task { () -> Result<Void, any Error> in
            defer { stopping.finish() }
            do { return .success(try await serve()) } catch { return .failure(error) }
        }
        for await _ in stop {}
        // The calling task may be cancelled, but the engine must still flush.
        return try await buffer.runtime.task { await self.end(server, within: max(timeout, .seconds(2))) }.value.get()
    }

    /// Cancels a server, waits for it, and closes the engine.
    ///
    /// - Returns: The report of the final flush, or the error of the server.
    private func end(
        _ server: Task<Result<Void, any Error>, Never>,
        within timeout: Duration
    ) async -> Result<FlushReport, any Error> {
        let start = buffer.clock.monotonicTime()
        let failure = Mutex<(any Error)?>(nil)
        let ended = Deadline(start.advanced(by: timeout / 2))
        server.cancel()
        buffer.runtime.task {
            if case .failure(let error) = await server.value, !(error is CancellationError) {
                failure.withLock { $0 = error }
            }
            ended.end()
        }
        await ended.wait(clock: buffer.clock, runtime: buffer.runtime)
        let passed = start.duration(to: buffer.clock.monotonicTime())
        // Closing takes at most a second more than its flush.
        let report = await close(timeout: max(.zero, timeout - passed - .seconds(1)))
        return failure.withLock { $0 }.map { .failure($0) } ?? .success(report)
    }
}

/// A source of one signal, which does not terminate the process meanwhile.
private struct SignalSource {
    private let source: any DispatchSourceSignal
    #if canImport(Darwin)
    private let number: Int32
    private let earlier: sig_t?
    #endif

    /// Creates a source.
    ///
    /// When it returns, the signal is received.
    init(_ number: Int32, _ receive: @escaping @Sendable () -> Void) async {
        let source = DispatchSource.makeSignalSource(signal: number)
        self.source = source
        #if canImport(Darwin)
        self.number = number
        // On Darwin, the signal's action is performed too. On Linux, libdispatch replaces it once for the process, and
        // no later source works if it is changed again.
        earlier = signal(number, SIG_IGN)
        #endif
        source.setEventHandler(handler: receive)
        await withCheckedContinuation { continuation in
            source.setRegistrationHandler { continuation.resume() }
            source.resume()
        }
    }

    /// Ends the source, and restores the signal's earlier action if possible.
    func cancel() {
        source.cancel()
        #if canImport(Darwin)
        signal(number, earlier)
        #endif
    }
}
