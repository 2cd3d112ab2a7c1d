import EventDelivery

extension Destination {
    /// Returns the rule that rejects an event, or `nil` if it is accepted.
    func refusal(of event: OutgoingEvent) -> String? {
        var encoder = EventEncoder()
        do throws(EventRefusal) {
            try encode(event, into: &encoder)
            return nil
        } catch {
            return error.rule
        }
    }
}
