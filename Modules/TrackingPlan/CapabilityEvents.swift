public import CoreTracker

/// The events that a vendor's tracker makes of calls of its capabilities: no event type stands for them.
///
/// In the plan each name is an event of the module `MultiTracker`, and the recorded calls are its examples.
public struct CapabilityEvents: Sendable {
    let product: String
    let vendor: TrackerType
    let events: [VendorEvent]

    /// Creates a record of what a vendor's tracker made of some calls.
    ///
    /// - Parameters:
    ///   - product: The product, by its prefix such as `DL`.
    ///   - vendor: The vendor that the events go to.
    ///   - events: The events, as its tracker tracks them. Those of one name show together which keys come.
    public init(product: String, vendor: TrackerType, events: [VendorEvent]) {
        self.product = product
        self.vendor = vendor
        self.events = events
    }

    /// An event for each name, in the order of their first calls.
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
