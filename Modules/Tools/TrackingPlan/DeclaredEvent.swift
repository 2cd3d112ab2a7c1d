public import CoreTracker
import EventDelivery

/// A planned event with the service calls of its examples.
struct DeclaredEvent {
    /// The event's type without its module.
    let type: String
    let product: String
    let module: String
    let name: String
    let owner: String
    let purpose: String
    /// The service calls of each example.
    let examples: [[DeclaredCall]]
}

extension DeclaredEvent {
    init<Event: PlannedEvent>(_ event: Event.Type, in catalog: EventCatalog) {
        let plan = Event.plan
        self.init(
            type: String(describing: event),
            product: catalog.product,
            module: catalog.module,
            name: plan.name,
            owner: plan.owner.name,
            purpose: plan.purpose,
            examples: plan.examples.map { example in
                example.services.map { DeclaredCall($0, defaults: catalog.defaults) }
            }
        )
    }

    /// Returns the events of catalogs, followed by the events of capabilities.
    static func all(in catalogs: [EventCatalog], and capabilities: [CapabilityEvents] = []) -> [DeclaredEvent] {
        catalogs.flatMap { catalog in catalog.events.map { DeclaredEvent($0, in: catalog) } }
            + capabilities.flatMap(\.declared)
    }
}

/// The event that one service gets for an example.
struct DeclaredCall {
    /// The service's name, which is part of its lane's name.
    let service: String
    /// The event's name at the service.
    let name: String
    /// The event's parameters, including its default parameters.
    let parameters: EventParameters
    /// The default parameters, which the event's own parameters override.
    let defaults: EventParameters

    init(_ service: EventService, defaults: EventParameters = []) {
        self.service = service.serviceName
        name = service.event.name
        parameters = defaults.merging(service.event.parameters)
        self.defaults = defaults
    }

    /// Returns whether this is an example of an entry of its event.
    func isExample(of entry: PlanEntry) -> Bool { (service, name) == (entry.service, entry.name) }

    /// An identity that every service accepts.
    static let identity = Identity(
        deviceID: "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        userID: "u-1",
        sessionID: "s-1",
        sessionStart: fixedTime
    )

    /// The id of each example.
    static let id = EventID(high: 0x0195_0000_0000_7000, low: 0x8000_0000_0000_0001)

    /// The time of events whose bytes must not change.
    static let fixedTime = Timestamp(microseconds: 1_772_359_200_000_000)

    /// Returns the event as a destination with a purpose gets it.
    ///
    /// The time is the current one by default, because destinations check the age of events.
    func outgoing(for purpose: String, at time: Timestamp = SystemClock().wallTime()) -> OutgoingEvent {
        OutgoingEvent(
            id: DeclaredCall.id,
            name: name,
            parameters: redacted(for: purpose),
            time: time,
            identity: DeclaredCall.identity,
            sequence: 1
        )
    }

    /// Returns the parameters as a destination with a purpose gets them.
    ///
    /// Hashed values have the usual length.
    func redacted(for purpose: String) -> EventParameters {
        parameters.redacted(for: purpose) { _ in String(repeating: "0", count: 64) }
    }
}

/// The events of a vendor's tracker for calls of its capabilities, which have no event type.
///
/// In the plan, each event name is an event of the module `MultiTracker`, and the recorded calls are its examples.
public struct CapabilityEvents: Sendable {
    let product: String
    let vendor: TrackerType
    let events: [VendorEvent]

    /// Creates a record of the events for some calls.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - vendor: The vendor that receives the events.
    ///   - events: The events of the vendor's tracker. All events of one name together determine which keys are always
    ///     present.
    public init(product: String, vendor: TrackerType, events: [VendorEvent]) {
        self.product = product
        self.vendor = vendor
        self.events = events
    }

    /// One event for each name, in the order of their first calls.
    var declared: [DeclaredEvent] {
        var names: [String] = []
        for event in events where !names.contains(event.name) { names.append(event.name) }
        return names.map { name in
            DeclaredEvent(
                type: "\(vendor.name).\(name)",
                product: product,
                module: "MultiTracker",
                name: name,
                owner: vendor.name,
                purpose: "Which events a vendor receives for calls through MultiTracker.",
                examples: events.filter { $0.name == name }.map { [DeclaredCall(.vendor($0))] }
            )
        }
    }
}
