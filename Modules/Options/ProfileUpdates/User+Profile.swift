public import CoreTracker
public import EventTracking

/// The profile of a user at the services.
///
/// Traits, groups and aliases are profile updates. Each call sends an event to every lane whose destination supports
/// the update. Other lanes accept and count nothing. Consent, policies for sensitive values, erasures, middleware and
/// the limits of the service apply as to any other event. Default parameters and the parameters of a scope are not
/// added, and `TrackQuotas` do not apply.
///
/// A repeated update without a change is not sent. A consent decision, an erasure, a reset or a restart of the process
/// makes it new again, and so does the loss of an earlier update of the same user or group.
///
/// Before the engine is opened, the last 256 updates wait for their destinations. The engine sends them after the
/// events tracked earlier.
extension DeliveryEngine.User {
    /// Sets the signed-in user as `identify(_:)` does, and sends traits of the user.
    ///
    /// A trait keeps its value at the services until another one is sent, or until `nil` removes it.
    ///
    /// - Parameters:
    ///   - id: The app's id for the user.
    ///   - traits: The traits. Without any, nothing is sent.
    public func identify(_ id: String, traits: Traits) {
        if let user = signIn(id) { send(traits, of: user) }
    }

    /// Sets the signed-in user as `identify(_:policy:)` does, and sends traits of the user.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - policy: The form of the id for services: unchanged, hashed or not at all.
    ///   - traits: The traits. Without any, nothing is sent.
    public func identify(
        _ id: Sensitive<some ParameterRepresentable>,
        policy: SensitivePolicy,
        traits: Traits
    ) {
        if let user = signIn(id, policy: policy) { send(traits, of: user) }
    }

    /// Sends traits of the current user, or of the installation if no user is signed in.
    ///
    /// In a closure of `withTracking(device:user:session:parameters:_:)`, they are traits of the closure's user.
    ///
    /// - Parameter traits: The traits. Without any, nothing is sent.
    public func setTraits(_ traits: Traits) { send(traits, of: nil) }

    /// Reports that the current user belongs to a group, such as a company or a household.
    ///
    /// In a closure of `withTracking(device:user:session:parameters:_:)`, it is the closure's user.
    ///
    /// - Parameters:
    ///   - id: The app's id for the group.
    ///   - traits: Traits of the group.
    public func group(id: String, traits: Traits = [:]) {
        var parameters: EventParameters = ["group_id": .string(id)]
        if !traits.isEmpty { parameters["traits"] = .object(traits.values) }
        engine.buffer.updates.send(.group, parameters, removing: traits.removed, subject: id)
    }

    /// Reports that a user was known by an earlier id, such as the installation's id before the first sign-in.
    ///
    /// The signed-in user does not change. An erasure finds the update by the user's new id.
    ///
    /// - Parameters:
    ///   - previous: The earlier id.
    ///   - user: The app's id for the user, which reveals no personal data.
    public func alias(from previous: String, to user: String) {
        if let user = known(user) { send(previous, of: user) }
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
        if let user = known(user, policy: policy) { send(previous, of: user) }
    }

    private func send(_ traits: Traits, of user: KnownUser?) {
        guard !traits.isEmpty else { return }
        engine.buffer.updates.send(.traits, traits.values, removing: traits.removed, of: user)
    }

    private func send(_ previous: String, of user: KnownUser) {
        engine.buffer.updates.send(.alias, ["previous_id": .string(previous)], subject: previous, of: user)
    }
}
