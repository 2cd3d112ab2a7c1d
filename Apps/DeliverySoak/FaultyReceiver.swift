import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import LoopbackCollector

/// A collector that fails at random, and records all completely acknowledged events.
final class FaultyReceiver: Sendable {
    /// The events received so far, with counts of faults.
    struct Record {
        /// The hash of the first payload of each event.
        var payloads: [String: Int] = [:]
        /// The events of requests with a complete acknowledgement.
        var acknowledged: Set<String> = []
        var arrivals = 0
        var differingPayloads = 0
        var outOfOrder = 0
        var faults = 0
        /// The number of events in a format that producers do not write.
        var unreadable = 0
        /// The number of events on the lane without order.
        var unordered = 0
        /// The number of overtaken events on that lane, which are allowed.
        var overtaken = 0
        /// The number of events of processes that suspended their storage.
        ///
        /// Another process may deliver the first part of such a session.
        var suspended = 0
        /// The number of events that arrived with two ids.
        var secondIDs = 0
        /// The number of requests with events of more than one user.
        var mixedRequests = 0
        /// The sessions whose order was checked.
        var sessions: Set<String> = []
        /// The number of events on the ordered lane with another user than the previous event of the session.
        var userChanges = 0
        /// The user of the last new event of each session.
        fileprivate var lastUsers: [String: String] = [:]
        /// The number of events tracked in a scope, and the number of traits.
        var scoped = 0
        var traits = 0
        /// The number of events whose user or scope differs from the tracked one.
        var strangers = 0
        /// The number of received events that the middleware of the producers should have dropped.
        var unwanted = 0
        /// The events of requests since the end of the faults.
        var drained: Set<String> = []
        /// The received events, identified by process and number.
        fileprivate var known: Set<String> = []
        /// The sequence number of the last new event of each process and lane.
        fileprivate var lastSequences: [String: Int] = [:]
        fileprivate var random: SeededGenerator
    }

    private let record: Mutex<Record>
    private let isCalm = Atomic(false)
    private let collector: LoopbackCollector

    init(seed: UInt64) throws {
        record = Mutex(Record(random: SeededGenerator(seed: seed)))
        collector = try LoopbackCollector(services: [], retention: .idsOnly)
        collector.setScript(CollectorScript { [weak self] request in self?.action(for: request) ?? .close })
    }

    /// The address for the producers.
    var endpoint: Endpoint { collector.url.appending(path: "lines") }

    /// The events received so far, with counts of faults.
    var snapshot: Record { record.withLock { $0 } }

    /// Acknowledges all further requests.
    func calm() {
        isCalm.store(true, ordering: .sequentiallyConsistent)
    }

    private func action(for request: CollectedRequest) -> CollectorAction {
        let isCalm = isCalm.load(ordering: .sequentiallyConsistent)
        return record.withLock { record in
            let lines = request.text.split(separator: "\n")
            let action = isCalm ? .accept : FaultyReceiver.action(for: lines.count, using: &record.random)
            let isAcknowledged = if case .respond(let response) = action { response.status == 200 } else { false }
            if !isAcknowledged { record.faults += 1 }
            for line in lines {
                let id = String(line.dropFirst(#"{"event_id":""#.count).prefix(36))
                count(line, id, isAcknowledged: isAcknowledged, in: &record)
                if isCalm { record.drained.insert(id) }
            }
            let users = Set(lines.compactMap { Self.value(of: "user", in: $0) })
            if users.count > 1 { record.mixedRequests += 1 }
            return action
        }
    }

    private func count(_ line: Substring, _ id: String, isAcknowledged: Bool, in record: inout Record) {
        record.arrivals += 1
        if isAcknowledged { record.acknowledged.insert(id) }
        if let known = record.payloads.updateValue(line.hashValue, forKey: id) {
            if known != line.hashValue { record.differingPayloads += 1 }
            return
        }
        let isUpdate = line.contains(#""name":"$identify""#)
        noteUser(line, isUpdate: isUpdate, in: &record)
        if line.contains(#""drop":"#) { record.unwanted += 1 }
        if !isUpdate { noteOrder(line, in: &record) }
    }

    /// Records whether a new event has the user and the scope that its parameter `expected` names.
    private func noteUser(_ line: Substring, isUpdate: Bool, in record: inout Record) {
        let user = Self.value(of: "user", in: line) ?? ""
        let scope = Self.value(of: "scope", in: line)
        let expected = Self.value(of: "expected", in: line)
        if isUpdate { record.traits += 1 } else if expected != nil { record.scoped += 1 }
        // Only users of scopes have a name with an S.
        let isExpected = expected.map { $0 == user } ?? !user.hasPrefix("S")
        if !isExpected || scope != (isUpdate ? nil : expected) { record.strangers += 1 }
    }

    /// Records the order of a new event among the events of its process and lane.
    private func noteOrder(_ line: Substring, in record: inout Record) {
        guard let session = Self.value(of: "session", in: line).map(String.init),
            let user = Self.value(of: "user", in: line).map(String.init),
            let process = Self.value(of: "process", in: line).flatMap({ Int($0) }),
            let number = Self.value(of: "number", in: line).flatMap({ Int($0) }),
            let sequence = Self.value(of: "seq", in: line).flatMap({ Int($0) })
        else { return record.unreadable += 1 }
        let lane = number % SoakRun.lanes
        let key = "\(process)/\(lane)"
        let last = record.lastSequences[key, default: 0]
        record.lastSequences[key] = max(sequence, last)
        if !record.known.insert("\(process)/\(number)").inserted { record.secondIDs += 1 }
        guard process.isMultiple(of: 2) else { return record.suspended += 1 }
        guard lane == SoakRun.orderedLane else {
            record.unordered += 1
            if sequence <= last { record.overtaken += 1 }
            return
        }
        if sequence <= last { record.outOfOrder += 1 }
        record.sessions.insert(session)
        if record.lastUsers.updateValue(user, forKey: session) ?? user != user { record.userChanges += 1 }
    }

    /// Returns a member's text or number in a line, or `nil` if there is none.
    ///
    /// A regular expression would take most of the run's time.
    private static func value(of member: String, in line: Substring) -> Substring? {
        guard let start = line.utf8.firstRange(of: "\"\(member)\":".utf8)?.upperBound else { return nil }
        let rest = line[start...]
        return rest.utf8.first == UInt8(ascii: "\"")
            ? rest.dropFirst().prefix { $0 != "\"" } : rest.prefix { $0.isNumber }
    }

    /// Returns a response.
    ///
    /// Three of four requests are acknowledged, and the others get typical faults of servers and networks.
    static func action(for events: Int, using random: inout SeededGenerator) -> CollectorAction {
        let acknowledgement = CollectorResponse(200, text: "ok, stored")
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<75: return .accept
        case 75..<83: return .status([500, 502, 503, 504, 429].randomElement(using: &random) ?? 503)
        case 83..<85: return .respond(CollectorResponse(503, headers: [.init("Retry-After", "0")]))
        case 85..<88: return .reset
        case 88..<91: return .close
        case 91..<94: return .truncate(acknowledgement, bodyBytes: 2)
        case 94..<96: return .bytes(Array("no HTTP at all\r\n\r\n".utf8))
        case 96..<98: return .resetAfterHead(acknowledgement)
        // A single event would correctly be quarantined for this response.
        case 98 where events > 1: return .status(413)
        default: return .respond(.redirect(302, to: "/elsewhere"))
        }
    }
}
