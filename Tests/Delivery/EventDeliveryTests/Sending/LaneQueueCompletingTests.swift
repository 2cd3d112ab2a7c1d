import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import Testing

@testable import EventDeliveryScenes

@Suite(.timeLimit(.minutes(5))) struct LaneQueueCompletingTests {
    @Test(arguments: [1, 37, 250, 251, 256, 257, 500])
    func `one poison event among 500 is found by halving, and the others arrive in order`(poison: Int) async throws {
        let harness = LaneHarness { request, _ in
            guard request.numbers.contains(poison) else { return .status(200) }
            return .respond(HTTPResponse(status: 400, body: Array("bad \u{1B}[31mfield".utf8)))
        }
        harness.track(1...500)
        try await harness.open()

        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        // 2·log₂500 + 2
        #expect(harness.transport.requests.count <= 19)
        #expect(harness.acknowledged(unless: [poison]) == (1...500).filter { $0 != poison })
        let refused = await harness.engine.quarantine.events()
        #expect(refused.map(\.reason) == ["status 400"])
        #expect(refused.map(\.response) == ["bad \\u{1B}[31mfield"])
        #expect(refused.map { String(decoding: $0.fragment, as: UTF8.self).contains("\"n\":\(poison)}") } == [true])
        #expect(await harness.ledger.delivered == 499)
        try await LedgerCheck.check(harness.engine)
    }

    @Test(arguments: [[1, 2], [1, 500], [7, 8, 9, 300], [250, 251], Array(1...8)])
    func `several poison events are all found, and nothing else is lost`(poisons: [Int]) async throws {
        let harness = LaneHarness { request, _ in
            request.numbers.contains(where: poisons.contains) ? .status(422) : .status(200)
        }
        harness.track(1...500)
        try await harness.open()

        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(harness.transport.requests.count <= 20 * poisons.count)
        #expect(harness.acknowledged(unless: poisons) == (1...500).filter { !poisons.contains($0) })
        #expect(await harness.engine.quarantine.events().count == poisons.count)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `the events refused by one response share its text, which is made once`() async throws {
        let base = LineDestination(limits: BatchLimits(events: 500, bodyBytes: 1_000_000))
        let refusals = Dictionary(uniqueKeysWithValues: (0..<499).map { ($0, BatchResult.EventResult.refused("no")) })
        let destination = JudgingDestination(base: base, results: [.partial(refusals)])
        let text = String(repeating: "field ", count: 50)
        let engine = DeliveryEngine(clock: TestClock())
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 200, body: Array(text.utf8))) }
        for number in 1...500 { engine.lane(base.lane).track("viewed", parameters: ["n": .int(number)]) }
        try await engine.open(GrantedEngine.configuration(nil, transport, [destination]))

        let report = await engine.flush(timeout: .seconds(5))
        let texts = await engine.quarantine.events().map(\.response)
        let places = texts.map { text in
            var text = text
            return text.withUTF8 { UInt(bitPattern: $0.baseAddress) }
        }

        #expect(report.isDrained)
        #expect(texts == Array(repeating: text, count: 499))
        #expect(Set(places).count == 1)
    }

    @Test func `a poison event among events of two keys in turn is found`() async throws {
        let harness = LaneHarness { request, _ in request.numbers.contains(33) ? .status(400) : .status(200) }
        let engine = DeliveryEngine(clock: harness.clock)
        for number in 1...60 {
            engine.user.identify(number.isMultiple(of: 2) ? "even" : "odd")
            engine.lane(harness.destination.lane).track("viewed", parameters: ["n": .int(number)])
        }
        try await engine.open(
            DeliveryConfiguration(
                directory: nil,
                destinations: [LineDestination(limits: harness.destination.limits, isKeyedByUser: true)],
                transport: harness.transport
            )
        )

        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(harness.acknowledged(unless: [33]).sorted() == (1...60).filter { $0 != 33 })
        #expect(await engine.statistics().map(\.ledger.quarantined) == [1])
        try await LedgerCheck.check(engine)
    }

    @Test func `a body that is too large is halved, and the limit is remembered, stored and raised slowly`()
        async throws
    {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let first = LaneHarness(directory: directory) { request, _ in
            request.body.count > 10_000 ? .status(413) : .status(200)
        }
        first.track(1...500)
        try await first.open()
        #expect(await first.engine.flush(timeout: .seconds(5)).isDrained)
        await first.engine.close(timeout: .zero)

        let second = LaneHarness(directory: directory) { request, _ in
            request.body.count > 10_000 ? .status(413) : .status(200)
        }
        second.track(501...1500)
        try await second.open()
        let report = await second.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        let refused = [first, second].map { $0.transport.requests.count { $0.body.count > 10_000 } }
        #expect(refused[0] <= 5)
        #expect(refused[1] <= 2)
        #expect(second.transport.requests[0].body.count <= 10_000)
        let taken = second.transport.requests.map(\.body.count).filter { $0 <= 10_000 }
        #expect(Double(taken.max() ?? 0) > 1.15 * Double(taken[0]))
        let arrived = (first.transport.requests + second.transport.requests).filter { $0.body.count <= 10_000 }
        #expect(arrived.flatMap(\.numbers) == Array(1...1500))
        try await LedgerCheck.check(second.engine)
    }

    @Test(arguments: [0, 500, 4_096], [1, 6])
    func `a body limit costs few requests while it applies, and is forgotten after the receiver has lifted it`(
        framing: Int,
        inFlight: Int
    ) async throws {
        let accepted = Mutex(2_000)
        let transport = ScriptedTransport { request, _ in
            request.body.count > accepted.withLock { $0 } ? .status(413) : .status(200)
        }
        let limits = BatchLimits(events: 500, bodyBytes: 1_000_000, framingBytes: framing, inFlight: inFlight)
        let destination = LineDestination(order: inFlight == 1 ? .session : .none, limits: limits)
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport))
        var requests: [ArraySlice<HTTPRequest>] = []
        for round in 1...5 {
            if round == 3 { accepted.withLock { $0 = .max } }
            let before = transport.requests.count
            engine.hold(destination.lane, reason: .maintenance)
            for number in 1...400 {
                let text = String(repeating: "x", count: 600)
                engine.lane(destination.lane).track("viewed", parameters: ["n": .int(number), "text": .string(text)])
            }
            await engine.storeBuffered()
            engine.release(destination.lane, reason: .maintenance)
            #expect(await engine.flush(timeout: .seconds(60)).isDrained)
            requests.append(transport.requests[before...])
        }

        let refused = requests.prefix(2).map { $0.count { $0.body.count > 2_000 } }
        // If several requests are in flight, their number depends on the order of the responses.
        let (first, second) = inFlight == 1 ? (10, 15) : (6, 10)
        #expect(refused[0] * first <= requests[0].count)
        #expect(refused[1] * second <= requests[1].count)
        #expect(requests[4].count <= 20)
        #expect(await engine.statistics().first?.ledger.delivered == 2_000)
        try await LedgerCheck.check(engine)
    }

    @Test func `a single event that is too large goes to quarantine, and the others arrive`() async throws {
        let harness = LaneHarness { request, _ in request.body.count > 5_000 ? .status(413) : .status(200) }
        harness.track(1...10)
        harness.engine.lane(harness.destination.lane).track(
            "viewed",
            parameters: ["text": .string(String(repeating: "x", count: 6_000))]
        )
        harness.track(12...20)
        try await harness.open()

        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(await harness.engine.quarantine.events().map(\.reason) == ["status 413, too large"])
        #expect(await harness.ledger.delivered == 19)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `of a partly accepted batch, only the named events are sent again, quarantined or lost`()
        async throws
    {
        let harness = LaneHarness()
        let engine = DeliveryEngine(clock: harness.clock)
        for number in 1...300 {
            engine.lane(harness.destination.lane).track("viewed", parameters: ["n": .int(number)])
        }
        let results: [BatchResult] = [
            .partial([0: .retry, 10: .refused("bad_field"), 20: .dropped("throttled"), 299: .retry, 777: .retry]),
            .delivered,
        ]
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(
            DeliveryConfiguration(
                directory: nil,
                destinations: [JudgingDestination(base: harness.destination, results: results)],
                transport: harness.transport
            )
        )

        harness.clock.advance(by: try #require(await diagnostics.nextRetry()))
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(harness.transport.requests.map(\.numbers) == [Array(1...300), [1, 300]])
        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.delivered == 298)
        #expect(ledger.dropped == [.droppedByReceiver: 1])
        #expect(await engine.quarantine.events().map(\.reason) == ["status 200, bad_field"])
        try await LedgerCheck.check(engine)
    }

    @Test func `the receiver's reason for losing an event is stored with the lane`() async throws {
        let harness = LaneHarness()
        let engine = DeliveryEngine(clock: harness.clock)
        for number in 1...2 { engine.lane(harness.destination.lane).track("viewed", parameters: ["n": .int(number)]) }
        try await engine.open(
            DeliveryConfiguration(
                directory: nil,
                destinations: [
                    JudgingDestination(base: harness.destination, results: [.partial([1: .dropped("throttled")])])
                ],
                transport: harness.transport
            )
        )

        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        let lane = try #require(await engine.statistics().first)
        #expect(lane.ledger.dropped == [.droppedByReceiver: 1])
        #expect(lane.lastFailure?.kind == .dropped)
        #expect(lane.lastFailure?.code == "throttled")
        #expect(lane.explanation?.contains("lost them") == true)
    }

    @Test(arguments: [[1: BatchResult.EventResult.refused("bad")], [0: .refused("bad"), 1: .refused("bad")]])
    func `an answer for single events ends the cause of an earlier failure`(
        answer: [Int: BatchResult.EventResult]
    ) async throws {
        let harness = LaneHarness()
        let engine = DeliveryEngine(clock: harness.clock)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        for number in 1...2 { engine.lane(harness.destination.lane).track("viewed", parameters: ["n": .int(number)]) }
        let destination = JudgingDestination(
            base: harness.destination,
            results: [.retry(after: nil), .partial(answer)]
        )
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: harness.transport)
        )
        harness.clock.advance(by: try #require(await diagnostics.nextRetry()))

        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        let lane = try #require(await engine.statistics().first)
        #expect(lane.lastFailure == nil)
        #expect(lane.ledger.quarantined == answer.count)
    }

    @Test func `all events that the receiver has dropped are counted, and none is sent again`() async throws {
        let harness = LaneHarness()
        let engine = DeliveryEngine(clock: harness.clock)
        for number in 1...100 {
            engine.lane(harness.destination.lane).track("viewed", parameters: ["n": .int(number)])
        }
        let dropped = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, BatchResult.EventResult.dropped("old")) })
        try await engine.open(
            DeliveryConfiguration(
                directory: nil,
                destinations: [JudgingDestination(base: harness.destination, results: [.partial(dropped)])],
                transport: harness.transport
            )
        )

        _ = await engine.flush(timeout: .seconds(5))

        let lane = try #require(await engine.statistics().first)
        #expect(lane.ledger.dropped == [.droppedByReceiver: 100] && lane.ledger.pending == 0)
        #expect(harness.transport.requests.count == 1)
    }

    @Test func `events that were refused because of a named one are sent again at once`() async throws {
        let harness = LaneHarness()
        let engine = DeliveryEngine(clock: harness.clock)
        for number in 1...3 { engine.lane(harness.destination.lane).track("viewed", parameters: ["n": .int(number)]) }
        let results: [BatchResult] = [.partial([0: .retry, 1: .refused("bad"), 2: .retry])]
        try await engine.open(
            DeliveryConfiguration(
                directory: nil,
                destinations: [JudgingDestination(base: harness.destination, results: results)],
                transport: harness.transport
            )
        )

        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(harness.transport.requests.map(\.numbers) == [[1, 2, 3], [1, 3]])
        try await LedgerCheck.check(engine)
    }

    @Test(
        arguments: [
            BatchResult.partial([1: .retry]), .partial([0: .refused("bad"), 1: .refused("bad"), 2: .retry]), .tooLarge,
        ]
    )
    func `the rest of a batch waits as long as the receiver asks`(result: BatchResult) async throws {
        let harness = LaneHarness { _, number in number == 1 ? .asking(for: 40) : .status(200) }
        let engine = DeliveryEngine(clock: harness.clock)
        for number in 1...3 { engine.lane(harness.destination.lane).track("viewed", parameters: ["n": .int(number)]) }
        let destination = JudgingDestination(base: harness.destination, results: [result])
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: harness.transport)
        )

        let first = await engine.flush(timeout: .seconds(39))
        let sent = harness.transport.requests.count
        harness.clock.advance(by: .seconds(44))
        let second = await engine.flush(timeout: .seconds(5))

        #expect(first.lanes.map(\.outcome) == [.waiting])
        #expect(sent == 1)
        #expect(second.isDrained)
        try await LedgerCheck.check(engine)
    }

    @Test func `a receiver that asks for the same event again and again is not stormed`() async throws {
        let harness = LaneHarness()
        let engine = DeliveryEngine(clock: harness.clock)
        let destination = JudgingDestination(base: harness.destination, results: [], otherwise: .partial([0: .retry]))
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: harness.transport)
        )
        engine.lane(harness.destination.lane).track("viewed", parameters: ["n": 1])

        var waited = Duration.zero
        for _ in 1...12 {
            let wait = try #require(await diagnostics.nextRetry())
            waited += wait
            harness.clock.advance(by: wait)
        }

        #expect(waited > .seconds(600))
        try await LedgerCheck.check(engine)
    }

    /// The results of the requests for eight events, and the expected events of each request.
    static let partialHalves: [(results: [BatchResult], numbers: [[Int]])] = [
        // The first half is accepted in part, while the second half waits for its first request.
        (
            [.refused("no"), .partial([0: .retry, 2: .retry])],
            [Array(1...8), [1, 2, 3, 4], [1, 3], [5, 6, 7, 8], [9]]
        ),
        // The first half is refused too, and the first quarter is accepted in part.
        (
            [.refused("no"), .refused("no"), .partial([1: .retry])],
            [Array(1...8), [1, 2, 3, 4], [1, 2], [2], [3, 4], [5, 6, 7, 8], [9]]
        ),
    ]

    @Test(arguments: partialHalves)
    func `events that a half of a batch has left to retry are sent before all later events`(
        row: (results: [BatchResult], numbers: [[Int]])
    ) async throws {
        let harness = LaneHarness()
        let engine = DeliveryEngine(clock: harness.clock)
        let lane = engine.lane(harness.destination.lane)
        for number in 1...8 { lane.track("viewed", parameters: ["n": .int(number)]) }
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        let destination = JudgingDestination(base: harness.destination, results: row.results)
        try #require(destination.order == .session)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: harness.transport)
        )

        let wait = try #require(await diagnostics.nextRetry())
        lane.track("viewed", parameters: ["n": 9])
        await engine.storeBuffered()
        harness.clock.advance(by: wait)
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(harness.transport.requests.map(\.numbers) == row.numbers)
        try await LedgerCheck.check(engine)
    }

    @Test func `an idle lane, a failing lane and two products do not affect each other`() async throws {
        let lanes = ["A", "B"].flatMap { product in
            ["up", "down"].map { LaneID(product: product, service: $0) }
        }
        let transport = ScriptedTransport { request, _ in
            request.url.path().contains("down") ? .fail(.timedOut) : .status(200)
        }
        let engine = DeliveryEngine(clock: TestClock())
        let destinations = lanes.map { LineDestination(lane: $0, endpoint: URL(filePath: "/\($0.service)")) }
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: destinations, transport: transport))

        for number in 1...50 {
            for lane in lanes { engine.lane(lane).track("viewed", parameters: ["n": .int(number)]) }
        }
        let report = await engine.flush(timeout: .milliseconds(50))

        for lane in report.lanes {
            #expect(lane.outcome == (lane.id.service == "up" ? .drained : .waiting))
            #expect(lane.delivered == (lane.id.service == "up" ? 50 : 0))
        }
        try await LedgerCheck.check(engine)
    }
}

extension LaneHarness {
    /// Returns the numbers of all events in requests without any of the given ones, in order of arrival.
    func acknowledged(unless poisons: [Int]) -> [Int] {
        transport.requests.map(\.numbers).filter { !$0.contains(where: poisons.contains) }.flatMap { $0 }
    }
}
