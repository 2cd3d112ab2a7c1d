public import CoreTracker
import Locks

extension DeliveryEngine {
    /// The signed-in user of the app.
    public var user: User { User(engine: self) }

    /// The signed-in user: the id of new events.
    ///
    /// ```swift
    /// engine.user.identify("u-8841")
    /// ```
    ///
    /// A change applies to all events tracked after it, on every thread. ``DeliveryEngine/identity`` has the current
    /// id. The module ProfileUpdates adds traits, groups and aliases.
    public struct User: Sendable {
        package let engine: DeliveryEngine
    }
}

extension DeliveryEngine.User {
    /// Sets the signed-in user by an id that reveals no personal data.
    ///
    /// The id is sent to the services unchanged. An id of more than 4,096 bytes is not used: the user is removed, and
    /// the engine sends a diagnostic. If an id looks like an e-mail address, the engine sends a diagnostic once.
    ///
    /// - Parameter id: The app's id for the user.
    public func identify(_ id: String) { signIn(id) }

    /// Sets the signed-in user by an id that reveals personal data.
    ///
    /// The policy decides the form for each service. A hash is computed from the id as it is written; see
    /// `EventParameters.sensitive(_:as:policy:)`.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - policy: The form of the id for services: unchanged, hashed or not at all.
    public func identify(_ id: Sensitive<some ParameterRepresentable>, policy: SensitivePolicy) {
        signIn(id, policy: policy)
    }

    /// Removes the signed-in user.
    ///
    /// The installation and the session stay.
    public func clear() {
        engine.buffer.identity.change { $0.setUser(nil) }
    }

    /// Sets the signed-in user, or removes it and returns `nil` if the id cannot be used.
    @discardableResult
    package func signIn(_ id: String) -> KnownUser? {
        let user = known(id)
        if user != nil, Identity.looksLikeAddress(id), !engine.hasReportedAddress.exchange(true, ordering: .relaxed) {
            engine.diagnosticStream.sendOnce(.userIDLooksPersonal)
        }
        engine.buffer.identity.change { $0.setUser(user) }
        return user
    }

    /// Sets the signed-in user, or removes it and returns `nil` if the id cannot be used.
    @discardableResult
    package func signIn(_ id: Sensitive<some ParameterRepresentable>, policy: SensitivePolicy) -> KnownUser? {
        let user = known(id, policy: policy)
        engine.buffer.identity.change { $0.setUser(user) }
        return user
    }

    /// Returns a user, or sends a diagnostic if the id is too long.
    package func known(_ id: String) -> KnownUser? { usable(KnownUser(id)) }

    /// Returns a user, or sends a diagnostic if the id is too long.
    package func known(_ id: Sensitive<some ParameterRepresentable>, policy: SensitivePolicy) -> KnownUser? {
        let parameter = EventParameters.sensitive(id, as: "user_id", policy: policy).sensitive.first
        return usable(parameter.flatMap { KnownUser($0) })
    }

    private func usable(_ user: KnownUser?) -> KnownUser? {
        if user == nil { engine.diagnosticStream.sendOnce(.idTooLong) }
        return user
    }
}
