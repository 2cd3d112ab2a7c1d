import CoreTracker

/// A planned event with default values for everything but its examples.
protocol LooseEvent: PlannedEvent {
    static var title: String { get }
    static var owner: EventOwner { get }
    static var purpose: String { get }
    static var examples: [[EventService]] { get }

    init(services: [EventService])
}

extension LooseEvent {
    static var title: String { "\(self)" }
    static var owner: EventOwner { "Tests" }
    static var purpose: String { "To break a rule." }

    static var plan: EventPlan<Self> {
        EventPlan(title, owner: owner, purpose: purpose, examples: examples.map(Self.init))
    }
}
