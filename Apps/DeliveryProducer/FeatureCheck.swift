import CoreTracker
import EventDelivery
import Locks

/// A transport that finds requests with erased events, and counts the started requests.
final class FeatureCheck: Transport {
    private struct State {
        var started = 0
        var stored: Set<String> = []
        var erased: Set<String> = []
    }

    private let transport = PlatformTransport()
    private let output: LineOutput
    private let state = Mutex(State())

    init(_ output: LineOutput) {
        self.output = output
    }

    /// The number of started requests.
    var started: Int { state.withLock(\.started) }

    /// Records a certainly stored event of the erased user.
    func store(_ id: EventID) {
        state.withLock { _ = $0.stored.insert(id.description) }
    }

    /// Runs an erasure of the user.
    ///
    /// If it does not throw, events stored before the call must not be sent afterwards.
    func erase(_ body: () async throws -> Void) async throws {
        let ids = state.withLock(\.stored)
        try await body()
        state.withLock { state in
            state.stored.subtract(ids)
            state.erased.formUnion(ids)
        }
        for id in ids { output.write("E \(id)") }
    }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        let erased = state.withLock { state in
            state.started += 1
            return state.erased.isEmpty ? [] : FeatureCheck.ids(in: request).filter(state.erased.contains)
        }
        for id in erased { output.write("X \(id) is sent after its erasure") }
        return try await transport.send(request, timeout: timeout)
    }

    private static func ids(in request: HTTPRequest) -> [String] {
        String(decoding: request.body, as: UTF8.self).split(separator: "\n").map { line in
            String(line.dropFirst(#"{"event_id":""#.count).prefix(36))
        }
    }
}

/// A middleware that drops the events with the parameter `drop`.
struct DropRule: EventMiddleware {
    let name = "soak_rule"

    func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
        event.parameters["drop"] == nil ? .keep : .drop
    }
}
