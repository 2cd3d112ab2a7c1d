import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Locks
import Testing

@testable import EventDeliveryScenes

/// Tests of the order of events on ordered lanes, and of concurrent requests on unordered ones.
@Suite(.timeLimit(.minutes(5))) struct DeliveryOrderTests {
    @Test func `a session in which users change leaves in its order`() async throws {
        let transport = ScriptedTransport()
        let engine = try await engine(.session, transport)

        #expect(await engine.flush(timeout: .seconds(5)).isDrained)

        #expect(transport.requests.map(\.numbers) == [[0], [1], [2, 3], [4], [5, 6], [7], [8]])
    }

    @Test func `where no order is needed, events of one user share a request wherever they lie`() async throws {
        let transport = ScriptedTransport()
        let engine = try await engine(.none, transport)

        #expect(await engine.flush(timeout: .seconds(5)).isDrained)

        #expect(transport.requests.map(\.numbers).sorted { $0[0] < $1[0] } == [[0, 2, 3, 5, 6, 8], [1, 4, 7]])
    }

    @Test(arguments: [(DeliveryOrder.none, 6), (.session, 1)])
    func `as many requests are in flight as the destination allows`(order: DeliveryOrder, most: Int) async throws {
        let transport = GatheringTransport(expected: most)
        let limits = BatchLimits(events: 5, bodyBytes: 100_000, inFlight: 6)
        let engine = DeliveryEngine(clock: TestClock())
        let lane = engine.lane(LineDestination().lane)
        for number in 0..<200 { lane.track("viewed", parameters: ["n": .int(number)]) }
        let destination = LineDestination(order: order, limits: limits, isKeyedByUser: true)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )

        let report = await engine.flush(timeout: .seconds(20))

        #expect(report.isDrained)
        #expect(transport.most == most)
        try await LedgerCheck.check(engine)
    }

    @Test func `a denial cancels all requests in flight`() async throws {
        let transport = ScriptedTransport { _, _ in .hang }
        let limits = BatchLimits(events: 5, bodyBytes: 100_000, inFlight: 4)
        let engine = DeliveryEngine(clock: TestClock())
        let lane = engine.lane(LineDestination().lane)
        for number in 0..<100 { lane.track("viewed", parameters: ["n": .int(number)]) }
        let destination = LineDestination(order: .none, limits: limits, isKeyedByUser: true)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        await transport.requests(count: 4)

        try await engine.setConsent(.denied, for: .analytics)

        #expect(transport.requests.count == 4)
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.consentDenied: 100]])
        try await LedgerCheck.check(engine)
    }

    /// An engine with nine events of two users in one session: A B A A B A A B A.
    private func engine(_ order: DeliveryOrder, _ transport: ScriptedTransport) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        let lane = engine.lane(LineDestination().lane)
        for (number, user) in "ABAABAABA".enumerated() {
            engine.user.identify(String(user))
            lane.track("viewed", parameters: ["n": .int(number)])
        }
        let destination = LineDestination(order: order, isKeyedByUser: true)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        return engine
    }
}

/// A transport whose first requests wait until an expected number of requests is in flight.
private final class GatheringTransport: Transport {
    private struct State {
        var present = 0
        var most = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let expected: Int
    private let state = Mutex(State())

    init(expected: Int) {
        self.expected = expected
    }

    /// The maximum number of requests in flight at a time.
    var most: Int { state.withLock { $0.most } }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        await withCheckedContinuation { continuation in
            let released = state.withLock { state in
                state.present += 1
                state.most = max(state.most, state.present)
                state.waiting.append(continuation)
                guard state.most >= expected else { return [CheckedContinuation<Void, Never>]() }
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in released { continuation.resume() }
        }
        state.withLock { $0.present -= 1 }
        return HTTPResponse(status: 200)
    }
}
