import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Locks
import Testing

@testable import EventDeliveryScenes

/// Tests of decisions while a request ignores its cancellation.
@Suite(.timeLimit(.minutes(5))) struct StubbornRequestTests {
    @Test(arguments: [true, false])
    func `a decision is stored before its requests have ended, and a kill meanwhile sends nothing later`(
        isDenial: Bool
    ) async throws {
        let queue = try TemporaryQueue()
        let (stubborn, obedient) = (StubbornTransport(), ScriptedTransport { _, _ in .hang })
        let engine = DeliveryEngine(clock: TestClock())
        let second = LaneID(product: "T", service: "second")
        var configuration = GrantedEngine.configuration(queue.url)
        configuration.consent = [:]
        configuration.transport = stubborn
        configuration.destinations = [LineDestination(), Detour(base: LineDestination(lane: second), way: obedient)]
        try await engine.open(configuration)
        engine.user.identify("ali")
        GrantedEngine.track("REFUSED", by: engine)
        engine.lane(second).track("viewed", parameters: ["canary": "REFUSED"])
        await engine.storeBuffered()
        await stubborn.hasBegun()
        await obedient.requests(count: 1)

        let call = Task {
            if isDenial {
                try await engine.setConsent(.denied, for: .analytics)
            } else {
                _ = try await engine.erase(user: "ali")
            }
        }
        await engine.waitUntilGone("REFUSED", from: queue)
        let killed = try queue.copy()
        let isWaiting = stubborn.isWaiting
        let transport = ScriptedTransport()
        let next = try await GrantedEngine.openUndecided(killed.url, transport)
        _ = await next.flush(timeout: .seconds(30))

        #expect(isWaiting)
        #expect(transport.requests.isEmpty)
        #expect(next.lane(LineDestination().lane).isConsentDenied == isDenial)
        stubborn.end()
        try await call.value
        try await LedgerCheck.check(engine)
        await next.close(timeout: .zero)
        await engine.close(timeout: .zero)
    }
}

/// A destination with a separate transport.
private struct Detour: DestinationWrapper {
    let base: any Destination
    let way: ScriptedTransport

    var transport: (any Transport)? { way }
}

/// A transport whose requests end only when the test says so.
private final class StubbornTransport: Transport {
    private struct State {
        var waiting: [CheckedContinuation<Void, Never>] = []
        var begun: [CheckedContinuation<Void, Never>] = []
        var isEnded = false
    }

    private let state = Mutex(State())

    var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Waits until a request has begun.
    func hasBegun() async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                guard state.waiting.isEmpty else { return true }
                state.begun.append(continuation)
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// Ends all requests.
    func end() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isEnded = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        await withCheckedContinuation { continuation in
            let (isEnded, begun) = state.withLock { state in
                defer { state.begun = [] }
                if !state.isEnded { state.waiting.append(continuation) }
                return (state.isEnded, state.begun)
            }
            if isEnded { continuation.resume() }
            for waiting in begun { waiting.resume() }
        }
        throw .cancelled
    }
}
