/// A change of a user's profile at the services, which is stored and sent like an event.
///
/// A destination declares its service's supported updates. The raw value is the name of the update's event.
///
/// ```swift
/// engine.user.identify("u-8841", traits: ["plan": "gold", "newsletter": true])
/// ```
public enum ProfileUpdate: String, Sendable, Hashable, CaseIterable {
    /// Traits of a user, which are the event's parameters.
    case traits = "$identify"
    /// The user belongs to a group.
    ///
    /// The event's parameters are `group_id`, and the group's traits as the object `traits`, if there are any.
    case group = "$group"
    /// The event's user was known by an earlier id, which is the parameter `previous_id`.
    case alias = "$alias"
}
