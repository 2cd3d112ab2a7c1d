import CoreTracker
package import EventDelivery
import Foundation
import Locks

/// The simulated network and the receivers.
///
/// Each lane has separate weather.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package final class SimulatedNetwork: Transport {
    private let scheduler: Scheduler
    private let oracle: Oracle
    private let chance: Chance
    private let weather = Mutex((0..<Lanes.count).map { _ in Weather.fair })

    init(_ scheduler: Scheduler, oracle: Oracle, seed: UInt64) {
        self.scheduler = scheduler
        self.oracle = oracle
        chance = Chance(seed: seed)
    }

    /// Returns the weather of a lane.
    func weather(of lane: Int) -> Weather { weather.withLock { $0[lane] } }

    /// Changes the weather of a lane.
    func set(_ new: Weather, lane: Int) {
        weather.withLock { $0[lane] = new }
        oracle.look { state in
            state.lanes[lane].isFair = new == .fair
            if new != .fair { state.lanes[lane].isClean = false }
        }
    }

    /// Ends the faults of all lanes.
    func heal() {
        for lane in 0..<Lanes.count { set(.fair, lane: lane) }
    }

    package func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        let lane = request.url.path.last.flatMap(\.wholeNumberValue) ?? 0
        scheduler.mix(request.body)
        let lines = Line.lines(of: request.body)
        let batch = request.headers.first { $0.name == "Batch" }?.value ?? ""
        let start = scheduler.now
        let (number, recalls) = oracle.look { state in
            let recalls = state.beginWaiting(lane: lane, now: start)
            return (state.begin(lane: lane, batch: batch, body: request.body, lines), recalls)
        }
        do throws(TransportError) {
            let (events, end) = (lines.compactMap { $0?.number }, scheduler.now + timeout.nanoseconds)
            let answer = try await carry(events, request.body.count, lane: lane, until: end)
            let now = scheduler.now
            oracle.look { state in
                state.endWaiting(answer, since: recalls, lane: lane, now: now)
                state.end(number, lane: lane)
            }
            return answer
        } catch {
            // A cancelled request takes some time to end.
            if error == .cancelled { await scheduler.pause(Int64(chance.below(300_000))) }
            oracle.look { $0.end(number, lane: lane) }
            throw error
        }
    }

    /// Delivers a request and its response.
    ///
    /// A cancelled request may have arrived.
    private func carry(
        _ events: [Int],
        _ bytes: Int,
        lane: Int,
        until end: Int64
    ) async throws(TransportError) -> HTTPResponse {
        let weather = weather(of: lane)
        let isHit = chance.happens(weather.percent)
        let fault = isHit ? weather.fault : .none
        try await travel(weather.latency, until: end)
        switch fault {
        case .refusedConnection: throw .connectionFailed(code: 111)
        case .untrusted: throw .untrusted
        case .silence:
            try await wait(until: end)
            throw .timedOut
        default: break
        }
        let (response, arrived) = answer(to: events, bytes: bytes, lane: lane, weather, fault)
        oracle.look { $0.arrive(arrived) }
        try await travel(weather.latency, until: end)
        switch fault {
        case .lostAnswer:
            if chance.happens(50) { throw .connectionFailed(code: 104) }
            try await wait(until: end)
            throw .timedOut
        case .garbled: throw .invalidResponse
        default: break
        }
        if !arrived.isEmpty, response.extent == .whole { oracle.look { $0.acknowledge(arrived, lane: lane) } }
        return response
    }

    /// Returns the receiver's response and the accepted events.
    private func answer(
        to events: [Int],
        bytes: Int,
        lane: Int,
        _ weather: Weather,
        _ fault: Weather.Fault
    ) -> (HTTPResponse, arrived: [Int]) {
        if let limit = weather.limit, bytes > limit { return refusal(413, of: events, lane: lane) }
        let poison = oracle.look { state in events.filter { state.events[$0].payload == .poison } }
        if !poison.isEmpty { return refusal([400, 422, 418][chance.below(3)], of: events, lane: lane) }
        switch fault {
        case .status(let status) where ![200, 201, 202, 204].contains(status):
            return refusal(status, of: events, lane: lane)
        case .status(let status): return (HTTPResponse(status: status), events)
        case .retryAfter(let status, let wait):
            return (HTTPResponse(status: status, headers: ["Retry-After": wait]), [])
        case .page: return (HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: [60]), [])
        case .partly: return partly(events, lane: lane)
        case .interrupted:
            // The lane sends the events again, unless every acknowledgement is interrupted.
            oracle.look { $0.excuse(events, "interrupted") }
            return (HTTPResponse(status: 200, extent: .interrupted), events)
        default: return (HTTPResponse(status: chance.happens(50) ? 200 : 204), events)
        }
    }

    private func refusal(_ status: Int, of events: [Int], lane: Int) -> (HTTPResponse, arrived: [Int]) {
        let isUnexplained = ResponsePolicy.standard.result(for: HTTPResponse(status: status)).isSuspect
        oracle.look { state in
            guard let event = events.first, events.count == 1 else { return }
            state.refuse(events)
            state.events[event].isUnexplained = isUnexplained
        }
        return (HTTPResponse(status: status), [])
    }

    /// Returns a response with a result for each event: accepted, refused, to be sent again, or lost.
    private func partly(_ events: [Int], lane: Int) -> (HTTPResponse, arrived: [Int]) {
        let results = events.map { _ in Array("aaarxl".utf8)[chance.below(6)] }
        let arrived = zip(events, results).filter { $0.1 == UInt8(ascii: "a") }.map(\.0)
        oracle.look { state in
            state.refuse(zip(events, results).filter { $0.1 == UInt8(ascii: "x") }.map(\.0))
            for (number, result) in zip(events, results) where result == UInt8(ascii: "l") {
                state.events[number].excuse = state.events[number].excuse ?? "lost there"
            }
        }
        return (HTTPResponse(status: 207, body: results), arrived)
    }

    private func travel(_ latency: Int, until end: Int64) async throws(TransportError) {
        let due = scheduler.now + Int64(chance.below(latency) + 1_000)
        try await wait(until: min(due, end))
        if due > end { throw .timedOut }
    }

    private func wait(until due: Int64) async throws(TransportError) {
        do { try await scheduler.sleep(until: due) } catch { throw .cancelled }
    }
}

extension BatchResult {
    /// Whether the receiver states no reason for its refusal.
    fileprivate var isSuspect: Bool { if case .suspect = self { true } else { false } }
}

/// A destination whose events are easy to read, and whose responses may contain a result for each event.
struct SimulatedDestination: Destination {
    let number: Int

    var lane: LaneID { LaneID(product: "S", service: "\(number)") }
    var purpose: ConsentPurpose { Lanes.purposes[Lanes.purpose(of: number)] }
    var order: DeliveryOrder { Lanes.isOrdered(number) ? .session : .none }
    var limits: BatchLimits {
        BatchLimits(events: 20, bodyBytes: 20_000, framingBytes: 10, inFlight: Lanes.inFlight(of: number))
    }

    func batchKey(of event: OutgoingEvent) -> String { Lanes.isKeyed(number) ? event.identity.userID ?? "" : "" }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        guard case .int(let serial)? = event.parameters["n"], event.parameters["rule"] == nil else {
            throw EventEncodingError(rule: "simulated")
        }
        let identity = event.identity
        let text =
            "\(serial) \(identity.userID ?? "-") \(identity.sessionID) \(identity.deviceID) \(event.sequence) "
            + "\(event.id) \(Lanes.mark(of: Lanes.purpose(of: number)))"
        encoder.json.string(text)
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest {
        var body: [UInt8] = []
        for event in batch.events {
            body += event.fragment
            body.append(UInt8(ascii: "\n"))
        }
        let id = try? HTTPHeader("Batch", batch.id.description)
        return HTTPRequest(url: Lanes.endpoints[number], headers: id.map { [$0] } ?? [], body: body)
    }

    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        guard response.status == 207 else { return ResponsePolicy.standard.result(for: response) }
        var results: [Int: BatchResult.EventResult] = [:]
        for (position, result) in response.body.enumerated() {
            switch result {
            case UInt8(ascii: "r"): results[position] = .retry
            case UInt8(ascii: "x"): results[position] = .refused("simulated")
            case UInt8(ascii: "l"): results[position] = .dropped("simulated")
            default: break
            }
        }
        return .partial(results)
    }
}
