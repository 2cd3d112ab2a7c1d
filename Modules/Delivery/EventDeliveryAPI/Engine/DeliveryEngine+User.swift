public import CoreTracker
import Locks

extension DeliveryEngine {
    /// The signed-in user of the app.
    public var user: User { User(engine: self) }

    /// The signed-in user: the id of new events, and the profile at the services.
    ///
    /// ```swift
    /// engine.user.identify("u-8841", traits: ["plan": "gold", "newsletter": true])
    /// ```
    ///
    /// A change of the id applies to all events tracked after it, on every thread. ``DeliveryEngine/identity`` has the
    /// current id.
    ///
    /// Traits, groups and aliases are profile updates. Each call sends an event to every lane whose destination
    /// supports the update. Other lanes accept and count nothing. Consent, policies for sensitive values, erasures,
    /// middleware and the limits of the service apply as to any other event. Default parameters and the parameters of a
    /// scope are not added, and ``TrackQuotas`` do not apply.
    ///
    /// A repeated update without a change is not sent. A consent decision, an erasure, a reset or a restart of the
    /// process makes it new again.
    ///
    /// Before the engine is opened, the last 256 updates wait for their destinations. The engine sends them after the
    /// events tracked earlier.
    public struct User: Sendable {
        let engine: DeliveryEngine
    }
}

extension DeliveryEngine.User {
    /// Sets the signed-in user by an id that reveals no personal data, and sends traits of the user.
    ///
    /// The id is sent to the services unchanged. An id of more than 4,096 bytes is not used: the user is removed, and
    /// the engine sends a diagnostic. If an id looks like an e-mail address, the engine sends a diagnostic once.
    ///
    /// A trait keeps its value at the services until another one is sent, or until `nil` removes it.
    ///
    /// - Parameters:
    ///   - id: The app's id for the user.
    ///   - traits: The traits. Without any, nothing is sent.
    public func identify(_ id: String, traits: Traits = [:]) {
        guard let known = usable(KnownUser(id)) else { return clear() }
        if Identity.looksLikeAddress(id), !engine.hasReportedAddress.exchange(true, ordering: .relaxed) {
            engine.diagnosticStream.sendOnce(.userIDLooksPersonal)
        }
        set(known, traits)
    }

    /// Sets the signed-in user by an id that reveals personal data, and sends traits of the user.
    ///
    /// The policy decides the form for each service. A hash is computed from the id as it is written; see
    /// `EventParameters.sensitive(_:as:policy:)`.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - policy: The form of the id for services: unchanged, hashed or not at all.
    ///   - traits: The traits. Without any, nothing is sent.
    public func identify(
        _ id: Sensitive<some ParameterRepresentable>,
        policy: SensitivePolicy,
        traits: Traits = [:]
    ) {
        let parameter = EventParameters.sensitive(id, as: "user_id", policy: policy).sensitive.first
        guard let parameter, let known = usable(KnownUser(parameter)) else { return clear() }
        set(known, traits)
    }

    /// Removes the signed-in user.
    ///
    /// The installation and the session stay.
    public func clear() {
        engine.buffer.identity.change { $0.setUser(nil) }
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
        engine.buffer.update(.group, parameters, removing: traits.removed, subject: id)
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
        engine.buffer.update(.alias, ["previous_id": .string(previous)], subject: previous) { $0.setUser(known) }
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
        engine.buffer.update(.alias, ["previous_id": .string(previous)], subject: previous) { $0.setUser(known) }
    }

    /// Returns a user, or sends a diagnostic if the id is too long.
    private func usable(_ user: KnownUser?) -> KnownUser? {
        if user == nil { engine.diagnosticStream.sendOnce(.idTooLong) }
        return user
    }

    private func set(_ user: KnownUser, _ traits: Traits) {
        engine.buffer.identity.change { $0.setUser(user) }
        sendTraits(traits) { $0.setUser(user) }
    }

    private func sendTraits(_ traits: Traits, of setUser: ((inout Identity) -> Void)? = nil) {
        guard !traits.isEmpty else { return }
        engine.buffer.update(.traits, traits.values, removing: traits.removed, of: setUser)
    }
}
