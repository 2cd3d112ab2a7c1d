import CoreTracker
import DeliveryMetrics
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import Testing

@Suite(.timeLimit(.minutes(1))) struct EngineReadinessTests {
    private let destination = LineDestination()

    @Test func `an engine is ready from its opening to its close`() async throws {
        let engine = DeliveryEngine(clock: TestClock())

        let before = await engine.readiness()
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination]))
        let ready = await engine.readiness()
        await engine.close(timeout: .zero)
        let closed = await engine.readiness()

        #expect(before.obstacle == "the engine is not open" && !before.isReady)
        #expect(closed == before)
        #expect(ready.isReady && ready.obstacle == nil)
    }

    @Test func `a directory of another engine, and one that cannot be used, are the obstacle`() async throws {
        let queue = try TemporaryQueue()
        let (first, second, third) = (DeliveryEngine(), DeliveryEngine(), DeliveryEngine())
        let file = queue.url.appending(path: "file")
        try Data().write(to: file)

        try await first.open(DeliveryConfiguration(directory: queue.url, destinations: [destination]))
        try await second.open(DeliveryConfiguration(directory: queue.url, destinations: [destination]))
        try await third.open(DeliveryConfiguration(directory: file, destinations: [destination]))

        #expect(await first.readiness().isReady)
        #expect(await second.readiness().obstacle?.hasPrefix("another engine of this process uses the dir") == true)
        #expect(await third.readiness().obstacle?.contains("\(file.path())") == true)
        for engine in [first, second, third] { await engine.close(timeout: .zero) }
    }

    @Test func `an engine is not ready while close waits for a receiver`() async throws {
        let (engine, transport) = (DeliveryEngine(), ScriptedTransport { _, _ in .hang })
        let isClosed = Mutex(false)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        engine.lane(destination.lane).track("viewed")

        let closing = Task {
            await engine.close(timeout: .seconds(3))
            isClosed.withLock { $0 = true }
        }
        while await engine.readiness().isReady { await Task.yield() }

        #expect(!isClosed.withLock { $0 })
        await closing.value
    }

    @Test func `a line of the log names at most 32 lanes`() throws {
        let lanes = (1...40).map { LaneID(product: "P\($0)", service: "s") }

        let line = DeliveryLog.Entry(.warning, lanes, code: "c", "cause").jsonLine(at: Timestamp(microseconds: 0))

        #expect(line.contains(#""P32/s"],"more_lanes":8,"code":"c""#))
    }

    @Test func `a line of the log is one line of JSON`() throws {
        let entry = try #require(Self.entry())

        let line = entry.jsonLine(at: Timestamp(microseconds: 1_772_359_200_123_456))

        #expect(
            line == #"{"time":"2026-03-01T10:00:00.123Z","level":"warning","lanes":["T/li\"nes"],"code":"c","#
                + #""message":"the cause: the cure"}"#
        )
    }

    private static func entry() -> DeliveryLog.Entry? {
        DeliveryLog.Entry(.warning, [LaneID(product: "T", service: "li\"nes")], code: "c", "the cause: the cure")
    }
}
