/// An event that stands in the tracking plan.
///
/// It declares what its code cannot say; its services, keys and types of values are read from its examples, so that
/// the plan is never another one than the code. An app evaluates none of it.
public protocol PlannedEvent: CoreTrackable {
    /// What the tracking plan says of this event.
    static var plan: EventPlan<Self> { get }
}
