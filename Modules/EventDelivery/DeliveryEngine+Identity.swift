/// Who events belong to: each change holds for the events that are tracked after it, whatever thread tracks them.
extension DeliveryEngine {
    /// The identity that an event gets that is tracked now; the device id is empty until the engine is open.
    public var identity: Identity {
        intake.identity.value
    }

    /// Sets the signed-in user.
    public func identify(user: String) {
        intake.identity.change { $0.userID = user }
    }

    /// Forgets the signed-in user; installation and session stay.
    public func clearUser() {
        intake.identity.change { $0.userID = nil }
    }

    /// Begins a session; without an id it gets one of its own.
    public func startSession(id: String? = nil, at time: Timestamp? = nil) {
        let time = time ?? intake.now
        let id = id ?? intake.ids.next(at: time).description
        intake.identity.startSession(at: intake.clock.monotonicTime()) { $0.startSession(id: id, at: time) }
    }

    /// Forgets user, session and installation: what is tracked afterwards cannot be joined to what was before.
    ///
    /// It holds for events that are tracked from the moment of the call on; the call returns when the new installation
    /// is stored, so that no end of the process brings the old one back.
    public func reset() async {
        let time = intake.now
        let session = intake.ids.next(at: time).description
        var random = intake.runtime.generator
        let device = Installation.makeID(using: &random)
        intake.identity.startSession(at: intake.clock.monotonicTime()) {
            $0.startSession(id: session, at: time)
            $0.userID = nil
            $0.deviceID = device
        }
        await persist()
    }
}
