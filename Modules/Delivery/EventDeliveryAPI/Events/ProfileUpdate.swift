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

/// Profile updates.
///
/// Each call sends an event to every lane whose destination supports the update. Other lanes accept and count nothing.
/// Consent, policies for sensitive values, erasures, middleware and the limits of the service apply as to any other
/// event. Default parameters and the parameters of a scope are not added, and ``TrackQuotas`` do not apply.
///
/// An update is not sent again while nothing in it has changed, in this process, since it was last accepted. A consent
/// decision, an erasure or a reset makes it new again.
///
/// Before the engine is opened, the last 256 updates wait for their destinations. The engine sends them after the
/// events tracked earlier.
extension DeliveryEngine {
    /// Sets the signed-in user by an id that reveals no personal data, and sends traits of the user.
    ///
    /// A trait keeps its value at the services until another one is sent, or until `nil` removes it.
    ///
    /// - Parameters:
    ///   - user: The app's id for the user, as for ``identify(user:)``.
    ///   - traits: The traits. Without any, nothing is sent.
    public func identify(user: String, traits: Traits) {
        identify(user: user)
        if let known = KnownUser(user) { sendTraits(traits) { $0.setUser(known) } }
    }

    /// Sets the signed-in user by an id that reveals personal data, and sends traits of the user.
    ///
    /// - Parameters:
    ///   - user: The id, as for ``identify(user:policy:)``.
    ///   - policy: The form of the id for services: unchanged, hashed or not at all.
    ///   - traits: The traits. Without any, nothing is sent.
    public func identify(
        user: Sensitive<some ParameterRepresentable>,
        policy: SensitivePolicy,
        traits: Traits
    ) {
        identify(user: user, policy: policy)
        let parameter = EventParameters.sensitive(user, as: "user_id", policy: policy).sensitive.first
        if let known = parameter.flatMap({ KnownUser($0) }) { sendTraits(traits) { $0.setUser(known) } }
    }

    /// Sends traits of the current user, or of the installation if no user is signed in.
    ///
    /// In a closure of `withTracking(user:session:parameters:_:)`, they are traits of the closure's user.
    ///
    /// - Parameter traits: The traits. Without any, nothing is sent.
    public func setTraits(_ traits: Traits) {
        sendTraits(traits)
    }

    /// Reports that the current user belongs to a group, such as a company or a household.
    ///
    /// In a closure of `withTracking(user:session:parameters:_:)`, it is the closure's user.
    ///
    /// - Parameters:
    ///   - id: The app's id for the group.
    ///   - traits: Traits of the group.
    public func group(id: String, traits: Traits = [:]) {
        var parameters: EventParameters = ["group_id": .string(id)]
        if !traits.isEmpty { parameters["traits"] = .object(traits.values) }
        buffer.update(.group, parameters, removing: traits.removed, subject: id)
    }

    /// Reports that a user was known by an earlier id, such as the installation's id before the first sign-in.
    ///
    /// The signed-in user does not change. An erasure finds the update by the user's new id.
    ///
    /// - Parameters:
    ///   - previous: The earlier id.
    ///   - user: The app's id for the user, which reveals no personal data.
    public func alias(from previous: String, to user: String) {
        guard let known = usable(KnownUser(user)) else { return }
        buffer.update(.alias, ["previous_id": .string(previous)], subject: previous) { $0.setUser(known) }
    }

    /// Reports that a user with a sensitive id was known by an earlier id.
    ///
    /// - Parameters:
    ///   - previous: The earlier id, which is sent unchanged.
    ///   - user: The user's id.
    ///   - policy: The form of the user's id for services: unchanged, hashed or not at all.
    public func alias(
        from previous: String,
        to user: Sensitive<some ParameterRepresentable>,
        policy: SensitivePolicy
    ) {
        let parameter = EventParameters.sensitive(user, as: "user_id", policy: policy).sensitive.first
        guard let known = usable(parameter.flatMap { KnownUser($0) }) else { return }
        buffer.update(.alias, ["previous_id": .string(previous)], subject: previous) { $0.setUser(known) }
    }

    /// Returns a user, or sends a diagnostic if the id is too long.
    private func usable(_ user: KnownUser?) -> KnownUser? {
        if user == nil { diagnosticStream.sendOnce(.idTooLong) }
        return user
    }

    private func sendTraits(_ traits: Traits, of setUser: ((inout Identity) -> Void)? = nil) {
        guard !traits.isEmpty else { return }
        buffer.update(.traits, traits.values, removing: traits.removed, of: setUser)
    }
}
