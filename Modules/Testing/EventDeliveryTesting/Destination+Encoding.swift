import CoreTracker
public import EventDelivery
import Foundation

extension Destination {
    /// Encodes an event in the same way as the engine.
    ///
    /// - Parameter event: The event to encode.
    /// - Returns: The fragment as text, and the number of adjustments by rule.
    /// - Throws: `EventEncodingError` if the destination refuses the event.
    public func encoded(_ event: OutgoingEvent) throws(EventEncodingError) -> (
        fragment: String, adjustments: [String: Int]
    ) {
        var encoder = EventEncoder()
        try encode(event, into: &encoder)
        return (String(decoding: encoder.bytes, as: UTF8.self), encoder.adjustments)
    }

    /// Returns the rules by which an event is refused, adjusted or too large, each once.
    ///
    /// The engine uses the same names.
    func rulesBroken(by event: OutgoingEvent) -> [String] {
        if let excess = DropReason.excess(of: event.parameters, event.defaults) { return [excess.name] }
        var encoder = EventEncoder()
        do throws(EventEncodingError) {
            try encode(event, into: &encoder)
        } catch {
            return [error.rule]
        }
        var rules = encoder.adjustments.keys.sorted()
        if encoder.json.coercions > 0 { rules.append("value_without_json") }
        if event.parameters.hasAbsent || event.defaults.hasAbsent { rules.append("value_nil") }
        if encoder.byteCount > limits.eventBytes { rules.append(DropReason.tooLarge.name) }
        return rules
    }

    /// Encodes events with the same batch key and combines them in the same way as the engine.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - id: The id of the batch.
    /// - Returns: The batch.
    /// - Throws: `EventEncodingError` if the destination refuses an event.
    public func batch(of events: [OutgoingEvent], id: EventID = .stub(0xBA)) throws(EventEncodingError) -> OutgoingBatch
    {
        var fragments: [OutgoingBatch.Event] = []
        for event in events {
            var encoder = EventEncoder()
            try encode(event, into: &encoder)
            fragments.append(OutgoingBatch.Event(id: event.id, fragment: encoder.bytes[...]))
        }
        return OutgoingBatch(id: id, key: events.first.map(batchKey) ?? "", events: fragments)
    }

    /// Returns the request for events with the same batch key.
    ///
    /// - Parameter events: The events.
    /// - Returns: The request.
    /// - Throws: `EventEncodingError` if the destination refuses an event.
    public func request(carrying events: [OutgoingEvent]) throws(EventEncodingError) -> HTTPRequest {
        request(for: try batch(of: events))
    }
}
