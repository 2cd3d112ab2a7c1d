package import CoreTracker

/// A change of a user's profile at the services, which is stored and sent like an event.
///
/// A destination declares its service's supported updates. The raw value is the name of the update's event.
///
/// ```swift
/// engine.user.identify("u-8841", traits: ["plan": "gold", "newsletter": true])
/// ```
///
/// The module ProfileUpdates has the calls.
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

/// The call of an update, with its moment and its identity.
///
/// It is a class, so passing none with an ordinary event costs one pointer.
package final class UpdateCall: Sendable {
    /// The kind of the update.
    package let kind: ProfileUpdate
    /// The names of the removed traits.
    package let removed: [ParameterKey]
    /// The time of the call.
    let time: Timestamp
    /// The number of the last decision or erasure before the call.
    package let number: UInt64
    /// The identity of the event.
    package let identity: FrozenIdentity

    package init(
        _ kind: ProfileUpdate,
        removing removed: [ParameterKey],
        time: Timestamp,
        number: UInt64,
        identity: FrozenIdentity
    ) {
        (self.kind, self.removed, self.time, self.number, self.identity) = (kind, removed, time, number, identity)
    }
}
