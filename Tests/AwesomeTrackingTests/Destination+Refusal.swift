import EventDelivery

extension Destination {
    /// The rule that refuses an event; `nil` for one that is taken.
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
