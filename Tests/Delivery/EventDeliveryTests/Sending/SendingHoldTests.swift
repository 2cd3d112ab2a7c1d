import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes
@testable import EventTracking

@Suite(.timeLimit(.minutes(1))) struct SendingHoldTests {
    private let clock = TestClock()
    private let engine: DeliveryEngine
    private let transport = ScriptedTransport()
    private let destination = LineDestination()
    private let other = LineDestination(lane: LaneID(product: "T", service: "other"))

    init() {
        engine = DeliveryEngine(clock: clock)
    }

    @Test func `an event whose request has failed is on hold while its lane is held`() async throws {
        let harness = LaneHarness { _, _ in .status(503) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        let id = await harness.store(1)
        _ = await diagnostics.nextRetry()

        harness.engine.hold(reason: .maintenance)

        #expect(await harness.engine.explain(id)?.status == .onHold([.maintenance]))
        await harness.engine.close(timeout: .zero)
    }

    @Test func `a held lane sends nothing until it is released, and reports the reason everywhere`() async throws {
        try await open()
        engine.hold(destination.lane, reason: .expensiveNetwork)

        track(destination, other)
        let report = await engine.flush(timeout: .seconds(5))
        let statistics = try #require(await statistics())
        let id = try #require(engine.recentEvents(on: destination.lane).first?.id)
        let status = await engine.explain(id)?.status
        let sentWhileHeld = transport.requests.count
        engine.release(destination.lane, reason: .expensiveNetwork)
        let afterwards = await engine.flush(timeout: .seconds(5))

        #expect(report.lanes.map(\.outcome) == [.onHold([.expensiveNetwork]), .drained])
        #expect(report.lanes.first.map { "\($0)" } == "T/lines on hold (expensive_network): 1 accepted: 1 pending")
        #expect(statistics.holdReasons == [.expensiveNetwork])
        #expect(
            statistics.explanation
                == "on hold (expensive_network): 1 event is kept: call release(_:reason:)"
        )
        #expect(status == .onHold([.expensiveNetwork]))
        #expect(sentWhileHeld == 1)
        #expect(afterwards.isDrained)
        #expect(await engine.explain(id)?.status == .delivered)
        #expect(await self.statistics()?.explanation == nil)
    }

    @Test func `a lane with two reasons sends after it was released from both`() async throws {
        try await open()
        for reason in [HoldReason.lowPower, .constrainedNetwork] { engine.hold(destination.lane, reason: reason) }
        track(destination)

        engine.release(destination.lane, reason: .lowPower)
        let held = await engine.flush(timeout: .seconds(5))
        engine.release(destination.lane, reason: .constrainedNetwork)
        let released = await engine.flush(timeout: .seconds(5))

        #expect(held.lanes.first?.outcome == .onHold([.constrainedNetwork]))
        #expect(released.isDrained)
    }

    @Test func `a hold of all lanes before the opening applies to lanes that are created later`() async throws {
        engine.hold(reason: .maintenance)
        engine.hold(other.lane, reason: .lowPower)
        try await open()

        track(destination, other)
        let held = await engine.flush(timeout: .seconds(5))
        engine.release(reason: .maintenance)
        let released = await engine.flush(timeout: .seconds(5))

        #expect(held.lanes.map(\.outcome) == [.onHold([.maintenance]), .onHold([.maintenance, .lowPower])])
        #expect(released.lanes.map(\.outcome) == [.drained, .onHold([.lowPower])])
        #expect(transport.requests.count == 1)
    }

    @Test func `a hold ends a flush that waits for the lane, and the request in flight still counts`() async throws {
        let answer = AsyncStream.makeStream(of: Void.self)
        let transport = GatedTransport(stream: answer.stream)
        try await open(transport)
        track(destination)
        let flush = Task { await engine.flush(timeout: .seconds(3_600)) }
        await transport.base.requests(count: 1)

        engine.hold(destination.lane, reason: .maintenance)
        let report = await flush.value
        answer.continuation.finish()
        engine.release(destination.lane, reason: .maintenance)
        let afterwards = await engine.flush(timeout: .seconds(5))

        #expect(report.lanes.first?.outcome == .onHold([.maintenance]))
        #expect(afterwards.isDrained)
        #expect(transport.base.requests.count == 1)
    }

    @Test(arguments: [FlushReport.Outcome.onHold([.maintenance]), .withoutConsent])
    func `a flush that a hold or a decision ends at once reports it, although the store has not published it`(
        outcome: FlushReport.Outcome
    ) async throws {
        let buffer = EventBuffer(clock: clock, eventTime: nil, capacity: 100)
        let configuration = DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        let store = DeliveryStore(buffer: buffer, configuration: configuration)
        _ = await store.start()
        buffer.lane(destination.lane).track("viewed", parameters: [:])
        await store.storeAll(barrier: true)

        switch outcome {
        case .onHold: buffer.withLanes { $0.changeHolds(destination.lane) { $0 = [.maintenance] } }
        default: buffer.decide(.unknown, about: .analytics)
        }
        let flush = Flush(Deadline(MonotonicInstant(nanoseconds: .max)))
        await store.begin(flush)

        #expect(flush.deadline.isEnded)
        #expect(FlushReporter(buffer: buffer).report(flush).lanes.map(\.outcome) == [outcome])
    }

    private func track(_ destinations: LineDestination...) {
        for destination in destinations { engine.lane(destination.lane).track("viewed", parameters: [:]) }
    }

    private func statistics() async -> LaneStatistics? {
        await engine.statistics().first { $0.id == destination.lane }
    }

    private func open(_ transport: (any Transport)? = nil) async throws {
        try await engine.open(
            DeliveryConfiguration(
                directory: nil,
                destinations: [destination, other],
                transport: transport ?? self.transport
            )
        )
    }
}

/// A transport that acknowledges requests when a stream ends.
private struct GatedTransport: Transport {
    let base = ScriptedTransport()
    let stream: AsyncStream<Void>

    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        let response = try await base.send(request, timeout: timeout)
        for await _ in stream {}
        return response
    }
}
