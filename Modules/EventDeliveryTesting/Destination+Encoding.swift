public import EventDelivery

extension Destination {
    /// Encodes one event as the engine does: its fragment as text, and the repairs by rule.
    public func encoded(_ event: OutgoingEvent) throws(EventRefusal) -> (fragment: String, repairs: [String: Int]) {
        var encoder = EventEncoder()
        try encode(event, into: &encoder)
        return (String(decoding: encoder.bytes, as: UTF8.self), encoder.repairs)
    }

    /// The rules by which an event is refused, repaired or found too large, as the engine counts them; each once.
    func rulesBroken(by event: OutgoingEvent) -> [String] {
        var encoder = EventEncoder()
        do throws(EventRefusal) {
            try encode(event, into: &encoder)
        } catch {
            return [error.rule]
        }
        var rules = encoder.repairs.keys.sorted()
        if encoder.json.coercions > 0 { rules.append("value_without_json") }
        if encoder.byteCount > limits.eventBytes { rules.append(DropReason.tooLarge.name) }
        return rules
    }

    /// Encodes events of one batch key and groups them as the engine does.
    public func batch(of events: [OutgoingEvent], id: EventID = .stub(0xBA)) throws(EventRefusal) -> OutgoingBatch {
        var fragments: [OutgoingBatch.Event] = []
        for event in events {
            var encoder = EventEncoder()
            try encode(event, into: &encoder)
            fragments.append(OutgoingBatch.Event(id: event.id, fragment: encoder.bytes[...]))
        }
        return OutgoingBatch(id: id, key: events.first.map(batchKey) ?? "", events: fragments)
    }

    /// The request that carries events of one batch key.
    public func request(carrying events: [OutgoingEvent]) throws(EventRefusal) -> HTTPRequest {
        request(for: try batch(of: events))
    }
}
