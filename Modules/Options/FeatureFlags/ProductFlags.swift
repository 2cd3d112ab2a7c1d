import CoreTracker
import EventTracking
import Locks

/// The feature flags of a product's settings: those of the engine's user, and those of each scope with a device, a
/// user or a session.
final class ProductFlags: AddedDefaults {
    private struct State: Sendable {
        /// The flags of the engine's user.
        var flags = FlagList()
        var owner: FlagOwner?
        var exposures = FlagExposures()
    }

    private let state = Mutex(State())

    /// The flags of the current scope, or else of the engine's user, as parameters.
    var parameters: EventParameters? {
        if let values = TrackingScope.current?.values {
            let flags: FlagList? = values.value(of: self)
            return flags?.parameters
        }
        return state.withLock { $0.owner?.isCurrent == true ? $0.flags.parameters : nil }
    }

    /// Sets or removes a flag of the current scope, or else of an engine's user.
    func set(_ name: String, _ variant: String?, of identity: CurrentIdentity) throws(FlagError) {
        if let values = TrackingScope.current?.values {
            try values.change(of: self, from: FlagList()) { flags throws(FlagError) in try flags.set(name, variant) }
        } else {
            try state.withLock { state throws(FlagError) in
                let owner = FlagOwner(identity)
                // The flags of another user do not apply to this one.
                var flags = state.owner == owner ? state.flags : FlagList()
                try flags.set(name, variant)
                (state.flags, state.owner) = (flags, owner)
            }
        }
    }

    /// Records an exposure.
    ///
    /// Returns whether to track it.
    func isNewExposure(_ event: FlagExposed, in visit: FlagExposures.Visit) -> Bool {
        state.withLock { $0.exposures.insert(event, in: visit) }
    }
}

/// The user of an engine to whom feature flags belong.
private struct FlagOwner: Sendable, Equatable {
    private let identity: CurrentIdentity
    private let version: Int

    init(_ identity: CurrentIdentity) {
        (self.identity, version) = (identity, identity.userVersion)
    }

    /// Whether the engine still has this user.
    var isCurrent: Bool { identity.userVersion == version }

    static func == (left: FlagOwner, right: FlagOwner) -> Bool {
        left.identity === right.identity && left.version == right.version
    }
}
