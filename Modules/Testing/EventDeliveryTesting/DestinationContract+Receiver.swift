import EventDelivery
import LoopbackCollector

extension DestinationContract.Subject {
    /// Checks requests with golden, extreme and hostile events against the published rules of the vendor's receiver.
    func receiverRulesKept() -> [String] {
        guard let receiver else { return [] }
        let extremes = limits.flatMap { limit in
            [limit.maximum, limit.maximum + 1].map { (limit.rule, [limit.event($0)]) }
        }
        let groups = bodies.map { ($0.name, $0.events) } + extremes + hostileEvents.map { ($0.text, [$0.event]) }
        var violations = Set<String>()
        for (name, events) in groups {
            // Refused events are not sent.
            guard let batch = try? destination.batch(of: events),
                batch.events.allSatisfy({ $0.fragment.count <= destination.limits.eventBytes })
            else { continue }
            for message in receiver.messages(on: destination.request(for: batch), at: nil) {
                let place = message.fieldPath.isEmpty ? "" : "\(message.fieldPath): "
                violations.insert("\(Self.quoted(name)): \(place)\(message.description)")
            }
        }
        return violations.sorted()
    }
}
