import CoreTracker
import EventDeliveryTesting
import Foundation
import Locks
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes

@Suite(.timeLimit(.minutes(5))) struct FlushReportTests {
    @Test func `the numbers of a report add up, and lost events have reasons`() async throws {
        let engine = DeliveryEngine(clock: TestClock(), capacity: 100)
        let lane = engine.lane(LineDestination().lane)
        for number in 0..<150 { lane.track("viewed", parameters: ["n": .int(number)]) }
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: ScriptedTransport())
        )

        let first = try #require(await engine.flush(timeout: .seconds(5)).lanes.first)
        lane.track("viewed", parameters: [:])
        let second = try #require(await engine.flush(timeout: .seconds(5)).lanes.first)

        #expect(first.outcome == .drained)
        #expect((first.accepted, first.delivered, first.pending, first.pendingAtLastReport) == (150, 88, 0, 0))
        #expect(first.dropped == [.bufferFull: 62])
        #expect((second.accepted, second.delivered, second.droppedTotal) == (1, 1, 0))
    }

    @Test func `a report and the statistics print a line for each lane`() async throws {
        let engine = DeliveryEngine(clock: TestClock(), capacity: 2)
        let lane = engine.lane(LineDestination().lane)
        for number in 0..<3 { lane.track("viewed", parameters: ["n": .int(number)]) }
        NoVendorService(product: "T", on: engine).track(VendorEvent("acme", "liked"))
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: ScriptedTransport())
        )

        let report = await engine.flush(timeout: .seconds(5))
        let statistics = await engine.statistics()

        #expect(
            report.description == """
                T/acme drained: 1 accepted: 1 dropped (no_vendor_service 1)
                \(LineDestination().lane) drained: 3 accepted: 2 delivered, 1 dropped (buffer_full 1)
                """
        )
        #expect(String(reflecting: report) == report.description)
        #expect(
            statistics.map(\.description) == [
                "T/acme: 1 accepted: 1 dropped (no_vendor_service 1); \(statistics[0].explanation ?? "")",
                "\(LineDestination().lane): 3 accepted: 2 delivered, 1 dropped (buffer_full 1); "
                    + (statistics[1].explanation ?? ""),
            ]
        )
    }

    @Test func `the diagnostics of an engine that is closed before it was opened end`() async {
        let engine = DeliveryEngine(clock: TestClock())
        let earlier = engine.diagnostics()

        await engine.close(timeout: .zero)

        for diagnostics in [earlier, engine.diagnostics()] { for await _ in diagnostics {} }
    }

    @Test func `the pending events of an earlier run are reported as pending at the opening`() async throws {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let first = LaneHarness(directory: directory) { _, _ in .fail(.timedOut) }
        first.track(1...7)
        try await first.open()
        await first.engine.close(timeout: .zero)

        let second = LaneHarness(directory: directory)
        try await second.open()
        let report = try #require(await second.engine.flush(timeout: .seconds(5)).lanes.first)

        #expect((report.pendingAtLastReport, report.accepted, report.delivered, report.pending) == (7, 0, 7, 0))
    }

    @Test func `a deadline counts from the call, even while the store is busy`() async throws {
        let buffer = EventBuffer(clock: SystemClock(), eventTime: nil, capacity: 100)
        let isReleased = DispatchSemaphore(value: 0)
        let flood = Flood(groups: 0, into: buffer, onReach: { _ in isReleased.wait() })
        let store = DeliveryStore(
            buffer: buffer,
            configuration: DeliveryConfiguration(
                directory: nil,
                destinations: [FloodingDestination(flood: flood)],
                transport: ScriptedTransport()
            )
        )
        _ = await store.start()
        buffer.lane(LineDestination().lane).track("viewed", parameters: ["n": 1])
        let start = ContinuousClock.now
        let flush = Flush(Deadline(buffer.clock.monotonicTime().advanced(by: .milliseconds(50))))

        let flushing = Task { await store.begin(flush) }
        await flush.deadline.wait(clock: buffer.clock, runtime: .system)
        let time = ContinuousClock.now - start
        let report = FlushReporter(buffer: buffer).report(flush)
        isReleased.signal()
        await flushing.value

        #expect(time < .seconds(30))
        #expect(report.lanes.map(\.outcome) == [.timedOut])
    }

    @Test func `a flush waits for the lanes with events only, of a thousand lanes`() async throws {
        let buffer = EventBuffer(clock: TestClock(), eventTime: nil, capacity: 100)
        let lanes = (0..<1_000).map { LaneID(product: "T", service: "s\($0)") }
        let store = DeliveryStore(
            buffer: buffer,
            configuration: DeliveryConfiguration(
                directory: nil,
                destinations: lanes.map { LineDestination(lane: $0) },
                transport: ScriptedTransport()
            )
        )
        _ = await store.start()
        buffer.lane(lanes[500]).track("viewed", parameters: [:])
        let flush = Flush(Deadline(buffer.clock.monotonicTime().advanced(by: .seconds(60))))

        await store.begin(flush)

        #expect(flush.targets.withLock { $0 } == [500: 2])
        #expect(!flush.deadline.isEnded)
    }

    @Test func `storing during the opening loses no earlier event`() async throws {
        for _ in 1...200 {
            let engine = DeliveryEngine(clock: TestClock())
            engine.lane(LineDestination().lane).track("early", parameters: [:])
            let configuration = DeliveryConfiguration(
                directory: nil,
                destinations: [LineDestination()],
                transport: ScriptedTransport()
            )

            async let opened: Void = engine.open(configuration)
            async let stored: Void = engine.storeBuffered()
            _ = try await (opened, stored)
            let report = await engine.flush(timeout: .seconds(5))

            #expect(report.lanes.map(\.delivered) == [1])
            #expect(report.droppedTotal == 0)
        }
    }

    @Test func `a stream of diagnostics ends when the engine is closed, and a later one ends at once`() async throws {
        let harness = LaneHarness()
        try await harness.open()
        await harness.engine.close(timeout: .zero)

        for await _ in harness.engine.diagnostics() { Issue.record("a closed engine has no news") }
    }

    @Test func `limits of any size are clamped, even if they are set later`() {
        var limits = BatchLimits(events: .max, bodyBytes: .max, framingBytes: .max, eventBytes: .max, inFlight: .max)

        #expect(limits.bodyBytes == 1 << 30 && limits.eventBytes >= 1 && limits.inFlight == 64)
        limits.events = 0
        limits.bodyBytes = .min
        limits.inFlight = -5
        #expect(limits.events == 1 && limits.bodyBytes == 1 && limits.inFlight == 1)
    }
}
