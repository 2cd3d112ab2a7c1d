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
    private static let metadata: ParameterKey = "metadata"
    /// The properties of each schema that a product can set for all of its events.
    private static let shared: Set<ParameterKey> = ["currency", "source", metadata]

    /// Returns an event with its default parameters where Braze accepts them.
    ///
    /// - Throws: An error if the property `metadata` is not an object.
    static func arranged(_ event: OutgoingEvent) throws(EventEncodingError) -> OutgoingEvent {
        guard names.contains(event.name) else { return event }
        var (top, free) = (EventParameters(), EventParameters())
        for parameter in event.mergedParameters {
            let isTop = shared.contains(parameter.key) || event.parameters[parameter.key] != nil
            if isTop { top[parameter.key] = parameter.value } else { free[parameter.key] = parameter.value }
        }
        if let value = top[metadata], members(of: value) == nil { throw EventEncodingError(rule: "metadata_invalid") }
        var event = event
        (event.parameters, event.defaults) = (adding(free, to: top), [])
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
    private static func adding(_ added: EventParameters, to properties: EventParameters) -> EventParameters {
        let present = properties[metadata].flatMap(members) ?? [:]
        return properties.merging([metadata: .object(added.merging(present))])
    }

    private static func members(of value: ParameterValue) -> EventParameters? {
        if case .object(let members) = value { members } else { nil }
    }
}
