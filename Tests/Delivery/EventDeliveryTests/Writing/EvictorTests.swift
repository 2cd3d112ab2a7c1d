import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Locks
import Testing

@testable import EventDeliveryScenes

/// Checks which events are evicted if the budget is exceeded.
@Suite(.timeLimit(.minutes(5))) struct EvictorTests {
    fileprivate static let flood = LaneID(product: "Flood", service: "lines")
    fileprivate static let calm = LaneID(product: "Calm", service: "lines")

    /// An offline engine with two products.
    private struct Scene {
        let clock = TestClock()
        let engine: DeliveryEngine
        let transport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }

        init(_ budget: DeliveryBudget) async throws {
            engine = DeliveryEngine(clock: clock)
            let limits = BatchLimits(events: 100, bodyBytes: 1_000_000)
            var configuration = DeliveryConfiguration(
                directory: nil,
                destinations: [flood, calm].map { LineDestination(lane: $0, limits: limits) },
                transport: transport
            )
            configuration.budget = budget
            try await engine.open(configuration)
        }

        /// Tracks events in groups that fit in the buffer.
        ///
        /// - Returns: The id of the first event.
        @discardableResult
        func track(
            _ numbers: ClosedRange<Int>,
            lane: LaneID,
            priority: TrackOptions.Priority = .normal
        ) async -> EventID {
            let options = TrackOptions(priority: priority)
            let lane = engine.lane(lane)
            let first = await lane.trackUntilStored(
                "viewed",
                parameters: ["n": .int(numbers.lowerBound)],
                options: options
            )
            for number in numbers.dropFirst() {
                lane.track("viewed", parameters: ["n": .int(number)], options: options)
                if number % 500 == 0 { await engine.storeBuffered() }
            }
            await engine.storeBuffered()
            return first.id
        }

        func ledger(_ lane: LaneID) async -> LaneLedger {
            await engine.statistics().first { $0.id == lane }?.ledger ?? LaneLedger()
        }

        /// Lets the receiver respond, and returns the numbers of delivered events.
        ///
        /// The numbers of the calm product are above 100,000.
        func deliver() async -> (flood: [Int], calm: [Int]) {
            let sent = transport.requests.count
            transport.setScript { _, _ in .status(200) }
            clock.advance(by: .seconds(3_600))
            _ = await engine.flush(timeout: .seconds(5))
            let arrived = transport.requests.dropFirst(sent).flatMap(\.numbers)
            return (arrived.filter { $0 <= 100_000 }, arrived.filter { $0 > 100_000 })
        }
    }

    @Test func `a flood of one product costs its own oldest events, never another's or those of a sent batch`()
        async throws
    {
        let scene = try await Scene(DeliveryBudget(events: 1_000))
        await scene.track(100_001...100_100, lane: Self.calm)
        await scene.track(1...1, lane: Self.flood)
        // Each lane waits after its first request. Before it, the oldest event would be evicted as well.
        await scene.transport.requests(count: 2)
        await scene.track(2...10_000, lane: Self.flood)
        let underWay = scene.transport.requests.map(\.numbers).first { $0.contains(1) } ?? []

        let (flood, calm) = (await scene.ledger(Self.flood), await scene.ledger(Self.calm))
        let arrived = await scene.deliver()

        #expect(calm.dropped.isEmpty)
        #expect(arrived.calm == Array(100_001...100_100))
        #expect(flood.pending <= 1_000 && flood.pending > 700)
        #expect(flood.dropped == [.countBudget: 10_000 - flood.pending])
        // The batch sent before is sent again unchanged. Of the other events, the newest are left.
        #expect(!underWay.isEmpty && arrived.flood.starts(with: underWay))
        let rest = arrived.flood.dropFirst(underWay.count)
        #expect(rest.elementsEqual((10_001 - rest.count)...10_000))
        try await LedgerCheck.check(scene.engine)
    }

    @Test func `a lane whose last event was evicted while a later group was encoded has nothing to wait for`()
        async throws
    {
        let engine = DeliveryEngine(clock: TestClock())
        let encodings = Atomic(0)
        let quiet = LaneID(product: Self.flood.product, service: "quiet")
        // Two waves of events arrive while the groups before them are encoded.
        let loud = WatchedDestination(base: LineDestination(lane: Self.flood)) {
            guard [0, 300].contains(encodings.wrappingAdd(1, ordering: .relaxed).oldValue) else { return }
            for _ in 0..<300 { engine.lane(Self.flood).track("viewed", parameters: [:]) }
        }
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [loud, LineDestination(lane: quiet)],
            transport: ScriptedTransport { _, _ in .fail(.connectionRefused) }
        )
        configuration.budget = DeliveryBudget(events: 200)
        for lane in [Self.flood, quiet] { engine.hold(lane, reason: .maintenance) }
        try await engine.open(configuration)
        _ = await engine.lane(quiet).trackUntilStored("viewed", parameters: [:])

        engine.lane(Self.flood).track("viewed", parameters: [:])
        while await engine.statistics().first(where: { $0.id == Self.flood })?.ledger.accepted != 601 {
            await engine.storeBuffered()
        }
        let lane = try #require(await engine.statistics().first { $0.id == quiet })
        await engine.close(timeout: .zero)

        #expect(lane.ledger.dropped == [.countBudget: 1])
        #expect(lane.oldestQueuedAge == nil)
    }

    @Test(arguments: [DeliveryBudget(events: 5_000), DeliveryBudget(bytes: 2_000_000)])
    func `a budget is a bound in events and bytes, also if each event has a user of its own`(budget: DeliveryBudget)
        async throws
    {
        let (engine, transport) = (DeliveryEngine(clock: TestClock(), capacity: 100_000), ScriptedTransport())
        let lanes = (1...4).map { LaneID(product: "P\($0 / 2)", service: "s\($0)") }
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: lanes.map { LineDestination(lane: $0) },
            transport: transport
        )
        configuration.budget = budget
        engine.hold(reason: .maintenance)
        try await engine.open(configuration)

        var most = 0
        for round in 0..<8 {
            for number in 0..<2_500 {
                // Later events are larger, so an equal number of earlier ones is not enough.
                let text = String(repeating: "x", count: round * 50)
                withTracking(user: "user-\(round)-\(number)") {
                    engine.lane(lanes[number % 4]).track("viewed", parameters: ["n": .string(text)])
                }
            }
            await engine.storeBuffered()
            most = max(most, await engine.statistics().reduce(0) { $0 + $1.ledger.pending })
        }
        engine.release(reason: .maintenance)
        let report = await engine.flush(timeout: .seconds(60))

        let bytes = transport.requests.reduce(0) { $0 + $1.body.count }
        #expect(most <= budget.events)
        #expect(report.isDrained)
        #expect(bytes <= budget.bytes)
        #expect(report.lanes.reduce(0) { $0 + $1.droppedTotal + $1.delivered } == 20_000)
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `if sent batches fill the budget, new events are evicted at once`() async throws {
        let scene = try await Scene(DeliveryBudget(events: 100))
        scene.engine.hold(reason: .maintenance)
        await scene.track(1...100, lane: Self.flood)
        scene.engine.release(reason: .maintenance)
        await scene.transport.requests(count: 1)

        await scene.track(101...220, lane: Self.flood)
        let receipt = await scene.engine.lane(Self.flood).trackUntilStored("viewed", parameters: ["n": 221])
        let ledger = await scene.ledger(Self.flood)
        let arrived = await scene.deliver()

        #expect(receipt.outcome == .dropped(.countBudget))
        #expect(ledger.pending == 100)
        #expect(ledger.dropped == [.countBudget: 121])
        #expect(arrived.flood == Array(1...100))
        try await LedgerCheck.check(scene.engine)
    }

    @Test func `a lowered budget is reached in steps, so each group waits only for a bounded number of segments`()
        async throws
    {
        let queue = try TemporaryQueue()
        var configuration = GrantedEngine.configuration(queue.url)
        let (first, second) = (DeliveryEngine(clock: TestClock()), DeliveryEngine(clock: TestClock()))
        // The events of a batch would not be evicted.
        for engine in [first, second] { engine.hold(reason: .maintenance) }
        try await first.open(configuration)
        let strict = TrackOptions(durability: .strict)
        for _ in 1...300 { _ = await first.lane(LineDestination().lane).trackUntilStored("viewed", options: strict) }
        await first.close(timeout: .zero)
        configuration.budget.events = 10
        try await second.open(configuration)
        var pending: [Int] = []
        for _ in 1...3 {
            _ = await second.lane(LineDestination().lane).trackUntilStored("viewed", options: strict)
            pending.append(try #require(await second.statistics().first).ledger.pending)
        }
        try await LedgerCheck.check(second)
        await second.close(timeout: .zero)

        #expect(pending == [44, 10, 10])
    }

    @Test func `a budget of bytes is kept too`() async throws {
        let scene = try await Scene(DeliveryBudget(bytes: 100_000))
        await scene.track(1...5_000, lane: Self.flood)

        let flood = await scene.ledger(Self.flood)
        let arrived = await scene.deliver()

        #expect(flood.dropped == [.byteBudget: 5_000 - arrived.flood.count])
        // A line of such an event has about 200 bytes.
        #expect(arrived.flood.count > 300 && arrived.flood.count < 800)
        #expect(arrived.flood.last == 5_000)
        try await LedgerCheck.check(scene.engine)
    }

    @Test func `the least important events go first, and are explained`() async throws {
        let scene = try await Scene(DeliveryBudget(events: 1_000))
        await scene.track(1...500, lane: Self.flood, priority: .high)
        let low = await scene.track(501...1_000, lane: Self.flood, priority: .low)
        await scene.track(1_001...1_500, lane: Self.flood)

        let status = await scene.engine.explain(low)?.status
        let arrived = await scene.deliver()

        #expect(status == .dropped(.countBudget))
        #expect(arrived.flood == Array(1...500) + Array(1_001...1_500))
        try await LedgerCheck.check(scene.engine)
    }
}

/// A destination that calls a closure before it encodes an event.
private struct WatchedDestination: DestinationWrapper {
    let base: any Destination
    let watch: @Sendable () -> Void

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        watch()
        try base.encode(event, into: &encoder)
    }
}
