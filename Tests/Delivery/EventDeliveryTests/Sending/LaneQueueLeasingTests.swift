import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes

@Suite(.timeLimit(.minutes(5))) struct LaneQueueLeasingTests {
    @Test func `events stored one by one are sent in full batches, in order`() async throws {
        let limits = BatchLimits(events: 200, bodyBytes: 1_000_000)
        let harness = LaneHarness(limits: limits) { _, number in number == 1 ? .asking(for: 100) : .status(200) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...1)
        let wait = try #require(await diagnostics.nextRetry())
        for number in 2...351 { _ = await harness.store(number) }

        harness.clock.advance(by: wait)
        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(harness.transport.requests.map(\.numbers.count) == [1, 1, 200, 150])
        #expect(harness.transport.requests.dropFirst().flatMap(\.numbers) == Array(1...351))
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `events of a user each fill several requests in flight`() async throws {
        let limits = BatchLimits(events: 1_000, bodyBytes: 4_000_000, inFlight: 4)
        let destination = LineDestination(order: .none, limits: limits)
        let (engine, transport) = (DeliveryEngine(clock: TestClock()), ScriptedTransport { _, _ in .hang })
        engine.hold(reason: .maintenance)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        for number in 1...5_000 {
            withTracking(user: "user-\(number)") {
                engine.lane(destination.lane).track("viewed", parameters: ["n": .int(number)])
            }
        }
        await engine.storeBuffered()

        engine.release(reason: .maintenance)
        await transport.requests(count: 4)

        let sent = transport.requests.map(\.numbers).sorted { ($0.first ?? 0) < ($1.first ?? 0) }
        #expect(sent == (0..<4).map { Array(($0 * 1_000 + 1)...($0 * 1_000 + 1_000)) })
        await engine.close(timeout: .zero)
    }

    @Test(arguments: [(6, 25), (7, 20)])
    func `a request passes over a limited number of events of other users`(
        row: (others: Int, sent: Int)
    ) async throws {
        let limits = BatchLimits(events: 25, bodyBytes: 1_000_000)
        let destination = LineDestination(order: .none, limits: limits, isKeyedByUser: true)
        let (engine, transport) = (DeliveryEngine(clock: TestClock()), ScriptedTransport { _, _ in .hang })
        engine.hold(reason: .maintenance)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        // Each user has twenty events in a row, as in a clickstream of sessions.
        for user in Array(0...row.others) + [0] {
            withTracking(user: "user-\(user)") {
                for number in 1...20 { engine.lane(destination.lane).track("viewed", parameters: ["n": .int(number)]) }
            }
        }
        await engine.storeBuffered()

        engine.release(reason: .maintenance)
        await transport.requests(count: 1)

        #expect(transport.requests.first?.numbers.count == row.sent)
        await engine.close(timeout: .zero)
    }

    @Test func `events stored in groups are sent in full batches, in order`() async throws {
        let limits = BatchLimits(events: 25, bodyBytes: 1_000_000)
        let harness = LaneHarness(limits: limits) { _, number in number == 1 ? .asking(for: 100) : .status(200) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...1)
        let wait = try #require(await diagnostics.nextRetry())
        for first in stride(from: 2, through: 351, by: 7) {
            harness.track(first...(first + 5))
            _ = await harness.store(first + 6)
        }

        harness.clock.advance(by: wait)
        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(harness.transport.requests.map(\.numbers.count) == [1, 1] + Array(repeating: 25, count: 14))
        #expect(harness.transport.requests.dropFirst().flatMap(\.numbers) == Array(1...351))
        try await LedgerCheck.check(harness.engine)
    }

    @Test(arguments: [1, 7, 100, 256, 300, 500, 1_000])
    func `each request holds as many events as its destination accepts`(
        most: Int
    ) async throws {
        let harness = LaneHarness(limits: BatchLimits(events: most, bodyBytes: 1_000_000))
        let total = min(1_000, most * 10)
        harness.track(1...total)
        try await harness.open()

        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        let sizes = harness.transport.requests.map(\.numbers.count)
        #expect(sizes.allSatisfy { $0 <= most })
        #expect(sizes.count <= (total + most - 1) / most + 1)
        #expect(harness.transport.requests.flatMap(\.numbers) == Array(1...total))
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `events that wait too long by the monotonic clock are dropped, even in a batch that was sent`()
        async throws
    {
        let budget = DeliveryBudget(age: .seconds(60))
        let harness = LaneHarness(limits: BatchLimits(events: 5, bodyBytes: 10_000), budget: budget) { _, number in
            number == 1 ? .asking(for: 100) : .status(200)
        }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        var ids: [EventID] = []
        for number in 1...10 { ids.append(await harness.store(number)) }
        let wait = try #require(await diagnostics.nextRetry())

        harness.clock.advance(by: wait)
        let fresh = await harness.store(11)
        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(await harness.ledger.dropped == [.expired: 10])
        #expect(harness.transport.requests.map(\.numbers).last == [11])
        for id in ids { #expect(await harness.engine.explain(id)?.status == .dropped(.expired)) }
        #expect(await harness.engine.explain(fresh)?.status == .delivered)
        try await LedgerCheck.check(harness.engine)
    }

    /// The clocks of the second run and its receiver, and the number of remaining events that expire.
    static let boots: [(hours: Int64, receiverHours: Int64?, dropped: Int)] = [
        (2, 2, 5), (2, nil, 0), (2, 4, 0), (20 * 8_766, 20 * 8_766, 0), (-2, -2, 0), (0, 0, 0),
    ]

    @Test(arguments: boots)
    func `after a new start of the machine only a receiver's date makes an event too old`(
        row: (hours: Int64, receiverHours: Int64?, dropped: Int)
    ) async throws {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let limits = BatchLimits(events: 5, bodyBytes: 10_000)
        let first = LaneHarness(limits: limits, directory: directory) { _, _ in .fail(.timedOut) }
        first.track(1...10)
        try await first.open()
        await first.engine.close(timeout: .zero)
        let clock = TestClock(wall: first.clock.wallTime().advanced(bySeconds: row.hours * 3600), bootID: "boot-2")
        let date = row.receiverHours.map { first.clock.wallTime().advanced(bySeconds: $0 * 3600).httpDate }
        let headers = date.map { ["Date": $0] } ?? [:]

        let second = LaneHarness(
            clock: clock,
            limits: limits,
            directory: directory,
            budget: DeliveryBudget(age: .seconds(3600))
        ) { _, _ in .respond(HTTPResponse(status: 200, headers: headers)) }
        try await second.open()
        clock.advance(by: .seconds(600))
        let report = await second.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(await second.ledger.dropped[.expired, default: 0] == row.dropped)
        #expect(await second.ledger.delivered == 10 - row.dropped)
        try await LedgerCheck.check(second.engine)
    }
}
