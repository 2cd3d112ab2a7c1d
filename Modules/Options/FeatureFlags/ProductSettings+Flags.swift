public import CoreTracker
public import EventTracking

extension ProductSettings {
    /// Sets the user's variant of a feature flag, and tracks the exposure.
    ///
    /// Call it whenever a feature shows a variant. From then on, the default parameters of the user's events include
    /// `flag_` followed by the flag's name. The exposure is tracked once for each user, session and variant, even if
    /// several tasks call this function at once. In a scope without a user, it is tracked once for each device. It is
    /// tracked again after a restart, or after 1,024 other users and sessions.
    ///
    /// The variants belong to the engine's user: if the app identifies another user or removes the user, they no longer
    /// apply. In a closure of `withTracking(device:user:session:parameters:_:)` with a device, a user or a session,
    /// they belong to the closure, so requests of a server do not share them.
    ///
    /// ```swift
    /// try DLSettings.current.setFlag("new_checkout", "b", tracker: tracker)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The flag's name: 1 to 32 ASCII letters, digits and underscores, the first one a letter.
    ///   - variant: The variant, at most 100 bytes, or `nil` to remove the flag and its parameter.
    ///   - tracker: The tracker that receives ``FlagExposed``.
    ///   - engine: The engine of the user and the session.
    /// - Throws: ``FlagError``. The flags are unchanged then.
    public func setFlag(
        _ name: String,
        _ variant: String?,
        tracker: any CoreTracker,
        on engine: DeliveryEngine = .shared
    ) throws(FlagError) {
        let (flags, buffer) = (addedDefaults { ProductFlags() }, engine.buffer)
        try flags.set(name, variant, of: buffer.identity)
        guard let variant else { return }
        let event = FlagExposed(flag: name, variant: variant)
        let identity = buffer.identityOfNextEvent(at: buffer.now).identity
        let visit = FlagExposures.Visit(
            device: identity.userHash == .nobody && identity.isDeviceOfScope ? identity.deviceID : "",
            user: identity.userHash,
            session: buffer.identity.firstID(ofSession: identity.sessionID)
        )
        if flags.isNewExposure(event, in: visit) { tracker.track(event) }
    }
}
