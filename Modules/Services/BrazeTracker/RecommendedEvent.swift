import CoreTracker
import EventDelivery

/// The events with a schema of Braze's own, such as `ecommerce.order_placed`.
///
/// Braze drops such an event if it has a property that is not in its schema. The members of its property `metadata` are
/// free. The properties that this module adds are therefore members of `metadata`, and so are the defaults of the
/// product, because a feature does not choose them for this event. The event's own parameters are sent as they are.
///
/// Source: https://www.braze.com/docs/user_guide/data/activation/events/recommended_events ("Metadata flexibility" and
/// "Event validation and troubleshooting")
enum RecommendedEvent {
    private static let names: Set<String> = [
        "ecommerce.product_viewed", "ecommerce.cart_updated", "ecommerce.checkout_started", "ecommerce.order_placed",
        "ecommerce.order_cancelled", "ecommerce.order_refunded",
    ]
    /// The properties of each schema that a product can set for all of its events.
    private static let shared: Set<ParameterKey> = ["currency", "source"]

    /// Returns an event with its default parameters where Braze accepts them.
    static func arranged(_ event: OutgoingEvent) -> OutgoingEvent {
        guard names.contains(event.name) else { return event }
        var event = event
        let free = event.defaults.filter { !shared.contains($0.key) }
        event.defaults = EventParameters(event.defaults.filter { shared.contains($0.key) }.map { ($0.key, $0.value) })
        event.parameters = adding(EventParameters(free.map { ($0.key, $0.value) }), to: event.parameters)
        return event
    }

    /// Returns the properties of an event with those that this module adds.
    static func properties(
        _ properties: EventParameters,
        of name: String,
        with added: EventParameters
    ) -> EventParameters {
        names.contains(name) ? adding(added, to: properties) : properties.merging(added)
    }

    /// Returns properties with further members of `metadata`, unless it has them already.
    private static func adding(_ members: EventParameters, to properties: EventParameters) -> EventParameters {
        var metadata = EventParameters()
        switch properties["metadata"] {
        case .object(let present)?: metadata = present
        case nil: break
        default: return properties
        }
        return properties.merging(["metadata": .object(members.merging(metadata))])
    }
}
