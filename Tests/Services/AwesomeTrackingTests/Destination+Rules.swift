import EventDelivery

extension Destination {
    /// Returns the rule that rejects an event, or `nil` if it is accepted.
    func violatedRule(by event: OutgoingEvent) -> String? {
        var encoder = EventEncoder()
        do throws(EventEncodingError) {
            try encode(event, into: &encoder)
            return nil
        } catch {
            return error.rule
        }
    }
}
