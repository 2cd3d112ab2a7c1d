#if os(macOS) || os(Linux)
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import ServerDelivery
import Testing

@testable import EventDeliveryScenes

/// The tests use signals that no other test sends, one after another.
@Suite(.serialized, .timeLimit(.minutes(1))) struct SignalTests {
    private struct Failure: Error {}

    private let harness = LaneHarness()
    private let started = AsyncStream.makeStream(of: Void.self)

    private var configuration: DeliveryConfiguration {
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [harness.destination],
            transport: harness.transport
        )
        configuration.sessionTimeout = nil
        return configuration
    }

    /// Runs a server until its task is cancelled.
    private func serve() async throws {
        started.continuation.yield()
        try await harness.clock.sleep(until: MonotonicInstant(nanoseconds: .max))
    }

    private func waitForStart() async {
        for await _ in started.stream { return }
    }

    /// Starts an engine with a receiver that does not respond, beside a server that ends when the stream does.
    private func startEndlessServer(
        closingWithin timeout: Duration
    ) async -> (run: Task<FlushReport, any Error>, release: AsyncStream<Void>.Continuation) {
        harness.transport.setScript { _, _ in .hang }
        let (forever, release) = AsyncStream.makeStream(of: Void.self)
        let run = Task {
            try await harness.engine.runUntilSignal(configuration, signals: [SIGUSR1], closingWithin: timeout) {
                harness.track([1])
                started.continuation.yield()
                // The wait ignores the cancellation.
                await Task { for await _ in forever {} }.value
            }
        }
        await waitForStart()
        return (run, release)
    }

    @Test(arguments: [SIGUSR1, SIGUSR2]) func `a signal ends the server, and its events are delivered`(
        signal: Int32
    ) async throws {
        let run = Task {
            try await harness.engine.runUntilSignal(
                configuration,
                signals: [SIGUSR1, SIGUSR2],
                closingWithin: .seconds(5)
            ) {
                harness.track(1...3)
                defer { harness.track([4]) }
                try await serve()
            }
        }
        await waitForStart()

        kill(getpid(), signal)
        let report = try await run.value

        #expect(report.isDrained)
        #expect(harness.transport.requests.flatMap(\.numbers) == [1, 2, 3, 4])
        #expect(await harness.engine.waitForCapacity(upTo: .zero) == false)
    }

    @Test func `a server that ends closes the engine, and its error is thrown`() async throws {
        let other = LaneHarness()

        let report = try await harness.engine.runUntilSignal(configuration, signals: [], closingWithin: .seconds(5)) {
            harness.track([1])
        }
        await #expect(throws: Failure.self) {
            try await other.engine.runUntilSignal(configuration, signals: [], closingWithin: .seconds(5)) {
                throw Failure()
            }
        }

        #expect(report.isDrained && harness.transport.requests.flatMap(\.numbers) == [1])
        #expect(await other.engine.waitForCapacity(upTo: .zero) == false)
    }

    @Test func `a server that does not end, and a receiver that does not respond, delay the end to the deadline`()
        async throws
    {
        let (run, release) = await startEndlessServer(closingWithin: .seconds(10))

        kill(getpid(), SIGUSR1)
        #expect(await harness.clock.nextSleep { $0 == .seconds(5) } == .seconds(5))
        harness.clock.advance(by: .seconds(5))
        #expect(await harness.clock.nextSleep { $0 == .seconds(4) } == .seconds(4))
        harness.clock.advance(by: .seconds(4))
        let report = try await run.value
        release.finish()

        #expect(report.lanes.map(\.dropped) == [[.closed: 1]])
    }

    @Test func `a timeout below the minimum is two seconds, and the server has the first one`() async throws {
        let (run, release) = await startEndlessServer(closingWithin: .seconds(1))

        kill(getpid(), SIGUSR1)
        let wait = await harness.clock.nextSleep { $0 == .seconds(1) || $0 == .milliseconds(500) }
        harness.clock.advance(by: .seconds(1))
        let report = try await run.value
        release.finish()

        #expect(wait == .seconds(1))
        #expect(report.lanes.map(\.dropped) == [[.closed: 1]])
    }

    @Test func `cancelling the caller's task ends the server, and the engine still flushes`() async throws {
        let run = Task {
            try await harness.engine.runUntilSignal(configuration, signals: [], closingWithin: .seconds(5)) {
                harness.track([1])
                try await serve()
            }
        }
        await waitForStart()

        run.cancel()

        #expect(try await run.value.isDrained)
        #expect(harness.transport.requests.flatMap(\.numbers) == [1])
    }

    @Test func `the longest deadline of a server ends no process`() async throws {
        let report = try await harness.engine.runUntilSignal(configuration, closingWithin: .seconds(Int64.max)) {}

        #expect(report.isDrained)
    }

    @Test func `an engine that cannot be opened does not start the server`() async throws {
        await harness.engine.close(timeout: .zero)

        await #expect(throws: EngineError.closed) {
            try await harness.engine.runUntilSignal(configuration, signals: [], closingWithin: .seconds(5)) {
                Issue.record("the server was started")
            }
        }
    }
}
#endif
