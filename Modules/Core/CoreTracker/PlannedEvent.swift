/// An event of the tracking plan.
///
/// It declares only the facts that its code does not contain. The plan reads services, keys and types of values from
/// the examples, which keeps it consistent with the code. An app never evaluates the plan.
public protocol PlannedEvent: CoreTrackable {
    /// The description of this event in the tracking plan.
    static var plan: EventPlan<Self> { get }
}
