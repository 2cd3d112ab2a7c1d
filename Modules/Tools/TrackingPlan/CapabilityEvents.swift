public import CoreTracker

/// The events that a vendor's tracker creates for calls of its capabilities, which have no event type.
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
                purpose: "What a vendor that is called through MultiTracker gets.",
                examples: events.filter { $0.name == name }.map { [DeclaredCall(.vendor($0))] }
            )
        }
    }
}
