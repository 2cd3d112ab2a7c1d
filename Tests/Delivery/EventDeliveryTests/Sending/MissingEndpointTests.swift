import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes
@testable import EventOutbox

/// Tests of 404, 405, 410 and 421, which a gateway returns for a moment when it starts before its routes.
@Suite(.timeLimit(.minutes(5))) struct MissingEndpointTests {
    /// Statuses in order, and the stored reason of the wait after the last one.
    static let rows: [(statuses: [Int], reason: String)] = [
        ([200, 404], "backoff"),
        ([200, 404, 404], "backoff"),
        ([200, 404, 404, 404], "paused:endpoint"),
        ([200, 405, 405, 405], "paused:endpoint"),
        ([200, 410, 410], "backoff"),
        ([200, 421, 421, 421], "paused:endpoint"),
        ([200, 404, 405, 410], "paused:endpoint"),
        ([200, 404, 404, 404, 404], "paused:endpoint"),
        // An acknowledgement begins the count again.
        ([200, 404, 404, 200, 404, 404], "backoff"),
        // An address that never worked.
        ([404], "paused:endpoint"),
        ([503, 404], "paused:endpoint"),
        // A gateway that refuses connections or fails first.
        ([200, 503, 503, 503, 404], "backoff"),
        ([200, 503, 503, 503, 404, 404], "paused:endpoint"),
        ([200, 404, 404, 404, 503, 404], "backoff"),
        // Other causes pause at once.
        ([200, 401], "paused:credentials"),
        ([200, 403], "paused:credentials"),
        ([200, 415], "paused:protocolMismatch"),
        ([200, 302], "paused:intercepted"),
        ([200, 404, 401], "paused:credentials"),
    ]

    @Test(arguments: rows, [false, true])
    func `a missing endpoint is tried twice more if it worked before, also across restarts`(
        row: (statuses: [Int], reason: String),
        restarts: Bool
    ) throws {
        var scene = try EndpointScene()

        for status in row.statuses {
            scene.respond(HTTPResponse(status: status))
            if restarts { scene.restart() }
        }

        #expect(scene.lane.stored.retryState.reason == row.reason)
        // No event is refused, and no batch is divided.
        #expect(scene.lane.stored.ledger.quarantined == 0)
        #expect(scene.lane.batches.map(\.segments) == [scene.segments.map(\.place)])
    }

    @Test(arguments: [(1, "backoff"), (2, "paused:endpoint")])
    func `concurrent requests that fail together are one attempt`(further: Int, reason: String) throws {
        var scene = try EndpointScene()
        scene.respond(HTTPResponse(status: 200))

        let cancels = scene.respondTogether(6, HTTPResponse(status: 404))
        let (first, failures) = (scene.lane.stored.retryState.reason, scene.lane.retryState.failures)
        for _ in 1...further { scene.respond(HTTPResponse(status: 404)) }

        #expect(first == "backoff" && failures == 1)
        #expect(cancels == Array(repeating: false, count: 6))
        #expect(scene.lane.stored.retryState.reason == reason)
    }

    @Test func `the waits between the attempts are those of a temporary fault, then of a probe`() throws {
        var scene = try EndpointScene()
        scene.respond(HTTPResponse(status: 200))

        let waits = (1...9).map { _ in scene.respond(HTTPResponse(status: 404)) }

        for (wait, longest) in zip(waits, [1, 2, 10, 20, 40, 80, 160, 300, 300]) {
            #expect(wait >= .seconds(longest) / 2 && wait <= .seconds(longest))
        }
    }

    @Test(arguments: [true, false])
    func `a Retry-After applies to the attempts and to the probes`(worksBefore: Bool) throws {
        var scene = try EndpointScene()
        if worksBefore { scene.respond(HTTPResponse(status: 200)) }
        let asking = HTTPResponse(status: 404, headers: ["Retry-After": "120"])

        let waits = (1...3).map { _ in scene.respond(asking) }

        #expect(waits.allSatisfy { $0 >= .seconds(120) && $0 <= .seconds(132) })
        #expect(scene.lane.stored.retryState.reason == "paused:endpoint")
    }

    @Test(arguments: [DeliveryOrder.session, .none])
    func `a gateway that restarts costs a second, and is explained as it is`(order: DeliveryOrder) async throws {
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        let transport = ScriptedTransport { _, number in number == 2 ? .status(404) : .status(200) }
        let destination = LineDestination(order: order, limits: BatchLimits(events: 1, bodyBytes: 10_000))
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport))
        let lane = engine.lane(destination.lane)
        for number in 1...4 { lane.track("viewed", parameters: ["n": .int(number)]) }

        let wait = try #require(await diagnostics.nextRetry())
        let failing = try #require(await engine.statistics().first)
        async let flushing = engine.flush(timeout: .seconds(30))
        clock.advance(by: wait)
        let report = await flushing

        #expect(wait <= .seconds(1))
        #expect(failing.pauseReason == nil)
        #expect(failing.explanation == "there is no such endpoint (status 404): the engine tries again")
        #expect(report.isDrained)
        #expect(Set(transport.requests.flatMap(\.numbers)) == [1, 2, 3, 4])
        #expect(await engine.statistics().first?.explanation == nil)
        try await LedgerCheck.check(engine)
    }

    @Test func `an address that never worked is explained as a pause, with the time until the probe`() async throws {
        let harness = LaneHarness { _, _ in .status(404) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...1)
        _ = await diagnostics.next { if case .paused = $0 { true } else { false } }

        let lane = try #require(await harness.engine.statistics().first)

        #expect(lane.pauseReason == .endpoint)
        #expect(
            lane.explanation
                == "there is no such endpoint (status 404): correct the address, or call resume() if it is right; "
                + "the engine tries again, next in 9 s"
        )
    }
}

/// A lane with one batch, without an engine.
private struct EndpointScene {
    private(set) var lane: LaneQueue
    let segments: [Segment]
    private let destination = LineDestination()
    private let outbox: Outbox
    private var now = MonotonicInstant(nanoseconds: 0)

    init() throws {
        lane = LaneQueue(stored: StoredLane(number: 1, id: destination.lane), destination: destination)
        segments = [.stub(number: 1, ids: 1...2)]
        outbox = Outbox(try SQLiteOutbox())
        refill()
    }

    /// Completes a request of the lane's batch, and passes the wait that follows.
    @discardableResult
    mutating func respond(_ response: HTTPResponse) -> Duration {
        _ = respondTogether(1, response)
        let wait = lane.retryState.reason == nil ? .zero : now.duration(to: lane.retryState.notBefore)
        now = now.advanced(by: wait)
        return wait
    }

    /// Completes concurrent requests with the same response.
    ///
    /// - Returns: For each one, whether the other requests must be cancelled.
    mutating func respondTogether(_ count: Int, _ response: HTTPResponse) -> [Bool] {
        let ids = (1...count).map { EventID.stub(UInt16($0)) }
        lane.batches = ids.map { StoredBatch(id: $0, segments: segments.map(\.place)) }
        for id in ids { lane.leases[id] = LaneQueue.LeaseRecord(faults: lane.streaks.faults, start: now) }
        let result = ResponsePolicy.standard.result(for: response)
        let cancels = lane.batches.map { batch in
            let lease = Lease(
                batch: OutgoingBatch(
                    id: batch.id,
                    key: "",
                    attempt: 1,
                    events: segments.flatMap { $0.read().map { OutgoingBatch.Event(id: $0.id, fragment: $0.fragment) } }
                ),
                stored: batch,
                segments: segments,
                number: 0
            )
            let outcome = RequestOutcome(result: result, attempt: .responded(response), bodyBytes: 100)
            var change = LaneChange()
            defer { refill() }
            return lane.complete(lease, outcome, context, change: &change)
        }
        lane.batches = Array(lane.batches.prefix(1))
        return cancels
    }

    /// Replaces the lane by its stored form.
    mutating func restart() {
        lane = LaneQueue(stored: lane.stored, destination: destination)
        lane.restoreRetryState(at: context.now)
    }

    /// Adds the events of a delivered batch again.
    private mutating func refill() {
        if lane.batches.isEmpty { lane.batches = [StoredBatch(id: .stub(1), segments: segments.map(\.place))] }
        guard lane.stored.counts.total == 0 else { return }
        for segment in segments { lane.account(segment.summary, sign: 1) }
        lane.stored.ledger.accepted = lane.stored.ledger.delivered + lane.stored.counts.total
    }

    private var context: LaneContext {
        LaneContext(
            outbox: outbox,
            now: StoredMoment(wall: Timestamp(microseconds: 0), monotonic: now, boot: 1),
            expiry: Expiry(age: .seconds(86_400)),
            newID: { .stub(99) }
        )
    }
}
