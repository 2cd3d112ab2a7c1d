/// Who events belong to: each change holds for the events that are tracked after it, whatever thread tracks them.
extension DeliveryEngine {
    /// The identity that an event gets that is tracked now; the device id is empty until the engine is open.
    public var identity: Identity {
        intake.withState { $0.identity.identity }
    }

    /// Sets the signed-in user.
    public func identify(user: String) {
        intake.withState { $0.setUser(user) }
    }

    /// Forgets the signed-in user; installation and session stay.
    public func clearUser() {
        intake.withState { $0.setUser(nil) }
    }

    /// Begins a session; without an id it gets one of its own.
    public func startSession(id: String? = nil, at time: Timestamp? = nil) {
        let time = time ?? intake.now
        intake.withState { $0.startSession(id: id, at: time) }
    }

    /// Forgets user, session and installation: what is tracked afterwards cannot be joined to what was before.
    public func reset() {
        let time = intake.now
        let device = Installation.makeID()
        intake.withState { $0.reset(deviceID: device, at: time) }
        intake.wake.signal()
    }
}
