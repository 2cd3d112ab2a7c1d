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
            let patterns = LinePatterns()
            for line in lines {
                let id = String(line.dropFirst(#"{"event_id":""#.count).prefix(36))
                count(line, id, patterns, isAcknowledged: isAcknowledged, in: &record)
                if isCalm { record.drained.insert(id) }
            }
            let users = Set(lines.compactMap { $0.firstMatch(of: patterns.user)?.1 })
            if users.count > 1 { record.mixedRequests += 1 }
            return action
        }
    }

    private func count(
        _ line: Substring,
        _ id: String,
        _ patterns: LinePatterns,
        isAcknowledged: Bool,
        in record: inout Record
    ) {
        record.arrivals += 1
        if isAcknowledged { record.acknowledged.insert(id) }
        if let known = record.payloads.updateValue(line.hashValue, forKey: id) {
            if known != line.hashValue { record.differingPayloads += 1 }
            return
        }
        let isUpdate = line.contains(#""name":"$identify""#)
        noteUser(line, patterns, isUpdate: isUpdate, in: &record)
        if line.contains(#""drop":"#) { record.unwanted += 1 }
        if !isUpdate { noteOrder(line, patterns, in: &record) }
    }

    /// Records whether a new event has the user and the scope that its parameter `expected` names.
    private func noteUser(_ line: Substring, _ patterns: LinePatterns, isUpdate: Bool, in record: inout Record) {
        let user = line.firstMatch(of: patterns.user)?.1 ?? ""
        let scope = line.firstMatch(of: patterns.scope)?.1
        let expected = line.firstMatch(of: patterns.expected)?.1
        if isUpdate { record.traits += 1 } else if expected != nil { record.scoped += 1 }
        // Only users of scopes have a name with an S.
        let isExpected = expected.map { $0 == user } ?? !user.hasPrefix("S")
        if !isExpected || scope != (isUpdate ? nil : expected) { record.strangers += 1 }
    }

    /// Records the order of a new event among the events of its process and lane.
    private func noteOrder(_ line: Substring, _ patterns: LinePatterns, in record: inout Record) {
        guard let match = line.firstMatch(of: patterns.order), let sequence = Int(match.1), let number = Int(match.4)
        else { return record.unreadable += 1 }
        let lane = number % SoakRun.lanes
        let key = "\(match.5)/\(lane)"
        let last = record.lastSequences[key, default: 0]
        record.lastSequences[key] = max(sequence, last)
        if !record.known.insert("\(match.5)/\(number)").inserted { record.secondIDs += 1 }
        guard Int(match.5)?.isMultiple(of: 2) == true else { return record.suspended += 1 }
        guard lane == SoakRun.orderedLane else {
            record.unordered += 1
            if sequence <= last { record.overtaken += 1 }
            return
        }
        if sequence <= last { record.outOfOrder += 1 }
        let session = String(match.2)
        record.sessions.insert(session)
        let user = String(match.3)
        if record.lastUsers.updateValue(user, forKey: session) ?? user != user { record.userChanges += 1 }
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

/// The patterns for the members of a line.
///
/// They are made once for each request, because each evaluation of a literal parses it, which takes longer than a match.
private struct LinePatterns {
    let user = /"user":"(\w*)"/
    let scope = /"scope":"(\w+)"/
    let expected = /"expected":"(\w+)"/
    let order = /"seq":(\d+),"session":"([-\w]+)","user":"(\w*)",.*"number":(\d+),"process":(\d+)/
}
