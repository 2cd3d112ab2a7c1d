import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Synchronization

/// A collector that misbehaves at random, and remembers what it has acknowledged in earnest.
final class FaultyReceiver: Sendable {
    /// What has arrived so far.
    struct Record {
        /// The hash of each event's first payload.
        var payloads: [String: Int] = [:]
        /// The events of requests that were answered with a whole acknowledgement.
        var acknowledged: Set<String> = []
        var arrivals = 0
        var differingPayloads = 0
        var outOfOrder = 0
        var faults = 0
        /// The sequence of the last new event, by process and lane.
        fileprivate var lastSequences: [String: Int] = [:]
        fileprivate var random: SeededGenerator
    }

    private let record: Mutex<Record>
    private let isCalm = Atomic(false)
    private let collectorBox = Mutex<LoopbackCollector?>(nil)

    init(seed: UInt64) throws {
        record = Mutex(Record(random: SeededGenerator(seed: seed)))
        let collector = try LoopbackCollector(
            services: [],
            keeps: .idsOnly,
            script: CollectorScript { [weak self] request in self?.answer(request) ?? .close }
        )
        collectorBox.withLock { $0 = collector }
    }

    /// The address that producers deliver to.
    var address: String { collectorBox.withLock { ($0?.url ?? "") + "/lines" } }

    /// What has arrived so far.
    var snapshot: Record { record.withLock { $0 } }

    /// Answers everything properly from now on.
    func calm() {
        isCalm.store(true, ordering: .sequentiallyConsistent)
    }

    private func answer(_ request: CollectedRequest) -> CollectorAnswer {
        let isCalm = isCalm.load(ordering: .sequentiallyConsistent)
        return record.withLock { record in
            let lines = request.text.split(separator: "\n")
            let answer = isCalm ? .accept : FaultyReceiver.answer(to: lines.count, using: &record.random)
            let isAcknowledged = if case .respond(let response) = answer { response.status == 200 } else { false }
            if !isAcknowledged { record.faults += 1 }
            for line in lines { note(line, isAcknowledged: isAcknowledged, in: &record) }
            return answer
        }
    }

    private func note(_ line: Substring, isAcknowledged: Bool, in record: inout Record) {
        let id = String(line.dropFirst(#"{"event_id":""#.count).prefix(36))
        record.arrivals += 1
        if isAcknowledged { record.acknowledged.insert(id) }
        if let known = record.payloads.updateValue(line.hashValue, forKey: id) {
            if known != line.hashValue { record.differingPayloads += 1 }
            return
        }
        guard let match = line.firstMatch(of: /"seq":(\d+),.*"number":(\d+),"process":(\d+)/),
            let sequence = Int(match.1), let number = Int(match.2)
        else { return }
        let key = "\(match.3)/\(number % SoakRun.lanes)"
        if sequence <= record.lastSequences[key, default: 0] { record.outOfOrder += 1 }
        record.lastSequences[key] = max(sequence, record.lastSequences[key, default: 0])
    }

    /// Three requests in four are acknowledged; the others meet what servers and networks do.
    private static func answer(to events: Int, using random: inout SeededGenerator) -> CollectorAnswer {
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
        // One event alone would go to quarantine for it, as it should.
        case 98 where events > 1: return .status(413)
        default: return .respond(.redirect(302, to: "/elsewhere"))
        }
    }
}
