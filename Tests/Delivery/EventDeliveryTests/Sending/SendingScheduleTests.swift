import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventDeliveryScenes

@Suite(.timeLimit(.minutes(1))) struct SendingScheduleTests {
    private let clock = TestClock()
    private let engine: DeliveryEngine
    private let transport = ScriptedTransport()
    private let destination = LineDestination(
        order: .none,
        limits: BatchLimits(events: 500, bodyBytes: 1_000_000, framingBytes: 500, inFlight: 2)
    )
    private let other = LineDestination(lane: LaneID(product: "T", service: "other"))

    init() {
        engine = DeliveryEngine(clock: clock)
    }

    @Test func `events wait for the interval, then share one request, and the statistics have the wait`() async throws {
        try await open(SendingSchedule(interval: .seconds(60)))
        try await track(1...3)
        clock.advance(by: .seconds(20))
        try await track(4...4)
        let waiting = try #require(await statistics())

        clock.advance(by: .seconds(39))
        _ = await clock.nextSleep { $0 == .seconds(1) }
        let sentBefore = transport.requests.count
        clock.advance(by: .seconds(1))
        await transport.requests(count: 1)

        #expect(waiting.nextSending == .seconds(40))
        #expect(waiting.explanation == "waits for its schedule: sends in 40 s, or when flush is called")
        #expect(sentBefore == 0)
        #expect(transport.requests.map(\.numbers) == [[1, 2, 3, 4]])
        #expect(await engine.flush(timeout: .seconds(5)).isDrained)
        #expect(await self.statistics()?.nextSending == nil)
    }

    @Test(arguments: [
        SendingSchedule(interval: .seconds(60), events: 3), SendingSchedule(interval: .seconds(60), bytes: 550),
    ])
    func `enough events or bytes are sent without further waiting`(schedule: SendingSchedule) async throws {
        try await open(schedule)
        try await track(1...2)

        try await track(3...3, waits: false)
        await transport.requests(count: 1)

        #expect(transport.requests.map(\.numbers) == [[1, 2, 3]])
    }

    @Test func `an event with a high priority sends all stored events`() async throws {
        try await open(SendingSchedule(interval: .seconds(60)))
        try await track(1...2)

        try await track(3...3, TrackOptions(priority: .high), waits: false)
        await transport.requests(count: 1)

        #expect(transport.requests.map(\.numbers) == [[1, 2, 3]])
    }

    @Test func `a flush sends all events, and later ones wait again`() async throws {
        try await open(SendingSchedule(interval: .seconds(60)))
        try await track(1...2)

        let report = await engine.flush(timeout: .seconds(5))
        try await track(3...3)

        #expect(report.isDrained)
        #expect(transport.requests.map(\.numbers) == [[1, 2]])
        #expect(await self.statistics()?.nextSending == .seconds(60))
    }

    @Test func `a request of one lane sends the events of the others, which do not answer with another one`()
        async throws
    {
        try await open(SendingSchedule(interval: .seconds(60)), [other.lane: SendingSchedule(interval: .seconds(90))])
        try await track(1...1, on: other.lane)
        clock.advance(by: .seconds(30))
        try await track(2...2)

        clock.advance(by: .seconds(60))
        await transport.requests(count: 2)
        // Both lanes were due. If an event was stored after the earlier request, the later request makes it due.
        let report = await engine.flush(timeout: .seconds(5))
        try await track(3...3)

        #expect(report.isDrained)
        #expect(transport.requests.map(\.numbers) == [[1], [2]] || transport.requests.map(\.numbers) == [[2], [1]])
        #expect(await self.statistics()?.nextSending == .seconds(60))
    }

    @Test func `events that are stored while a request is in flight wait for their own interval`() async throws {
        transport.setScript { _, number in number == 1 ? .hang : .respond(HTTPResponse(status: 200)) }
        try await open(SendingSchedule(interval: .seconds(20), events: 3))
        try await track(1...2)
        try await track(3...3, waits: false)
        await transport.requests(count: 1)

        try await track(4...4)
        try await track(5...5)
        let sentBefore = transport.requests.count
        clock.advance(by: .seconds(20))
        await transport.requests(count: 2)

        #expect(sentBefore == 1)
        #expect(transport.requests.map(\.numbers) == [[1, 2, 3], [4, 5]])
    }

    @Test func `a lane that sends at once takes along the events of the others`() async throws {
        try await open(SendingSchedule(interval: .seconds(60)), [other.lane: .immediate])
        try await track(1...1)

        try await track(2...2, on: other.lane, waits: false)
        await transport.requests(count: 2)

        #expect(Set(transport.requests.map(\.numbers)) == [[1], [2]])
    }

    @Test func `events of an earlier run are sent at their time, and at once after a restart of the device`()
        async throws
    {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let schedule = SendingSchedule(interval: .seconds(60))
        try await open(schedule, directory: directory)
        try await track(1...1)
        await engine.close(timeout: .zero)

        let next = DeliveryEngine(clock: clock)
        try await next.open(configuration(schedule, directory: directory))
        let inRun = await next.statistics().first?.nextSending
        await next.close(timeout: .zero)
        let restarted = DeliveryEngine(clock: TestClock(bootID: "boot-2"))
        try await restarted.open(configuration(schedule, directory: directory))
        await transport.requests(count: 1)
        await restarted.close(timeout: .seconds(5))

        #expect(inRun == .seconds(60))
        #expect(transport.requests.map(\.numbers) == [[1]])
    }

    /// Tracks events and stores them.
    ///
    /// - Parameter waits: Whether the lane then waits for its schedule.
    private func track(
        _ numbers: ClosedRange<Int>,
        on lane: LaneID? = nil,
        _ options: TrackOptions = TrackOptions(),
        waits: Bool = true
    ) async throws {
        for number in numbers {
            engine.lane(lane ?? destination.lane).track("viewed", parameters: ["n": .int(number)], options: options)
        }
        await engine.storeBuffered()
        if waits { _ = await clock.nextSleep { $0 > .seconds(1) && $0 <= .seconds(90) } }
    }

    private func statistics() async -> LaneStatistics? {
        await engine.statistics().first { $0.id == destination.lane }
    }

    private func open(
        _ schedule: SendingSchedule,
        _ laneSchedules: [LaneID: SendingSchedule] = [:],
        directory: URL? = nil
    ) async throws {
        try await engine.open(configuration(schedule, laneSchedules, directory: directory))
    }

    private func configuration(
        _ schedule: SendingSchedule,
        _ laneSchedules: [LaneID: SendingSchedule] = [:],
        directory: URL? = nil
    ) -> DeliveryConfiguration {
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: [destination, other],
            transport: transport
        )
        configuration.schedule = schedule
        configuration.sessionTimeout = nil
        configuration.laneSchedules = laneSchedules
        return configuration
    }
}
