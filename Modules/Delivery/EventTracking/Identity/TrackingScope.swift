public import CoreTracker
import Locks

/// Runs a closure, and gives each event tracked in it the scope's device, user, session and parameters.
///
/// A server that works for many users at once gives each request a scope:
///
/// ```swift
/// await withTracking(user: request.user, session: request.id, parameters: ["route": "/basket"]) {
///     await presenter.appear()
/// }
/// ```
///
/// The scope applies to every event tracked by the closure and its child tasks, with any tracker and on any lane. It
/// does not apply to detached tasks. Scopes nest: an inner scope inherits the device, the user and the session unless
/// it sets them, and its parameters override the outer scope's. Outside of scopes, the engine's identity applies.
///
/// The installation is the process's, so it is not the device of a scope with a device, a user or a session. Without a
/// `device`, the device's id is a hash of the user's id, or of the session's if there is no user: the same for every
/// event of this user, and marked by ``Identity/isDeviceDerived``.
///
/// A scope's parameters override the default parameters of products and features, and an event's own parameters
/// override the scope's. Entering a scope with a user takes a few microseconds. Consent and erasures apply to its
/// events as to any other.
///
/// - Parameters:
///   - device: The id of the person's device, such as the one in a cookie of your site, or `nil` to use the outer
///     scope's. Firebase gets an id that is neither a UUID nor 32 hexadecimal digits as a hash.
///   - user: The app's id for the user, which is sent to the services unchanged, or `nil` to use the outer scope's or
///     the engine's user. If the id has more than 4,096 bytes, the scope's events are dropped and counted.
///   - session: The session's id, or `nil` to use the outer scope's or the engine's session. It starts with the scope.
///   - parameters: The parameters of each event.
///   - body: The closure.
/// - Returns: The result of the closure.
/// - Throws: The error of the closure.
public func withTracking<Result>(
    device: String? = nil,
    user: String? = nil,
    session: String? = nil,
    parameters: EventParameters = [],
    _ body: () throws -> Result
) rethrows -> Result {
    let scope = TrackingScope(device: device, user: user, session: session, parameters: parameters)
    return try TrackingScope.$bound.withValue(scope, operation: body)
}

/// Runs an asynchronous closure, and gives each event tracked in it the scope's device, user, session and parameters.
///
/// It runs on the actor of the caller. The synchronous function of the same name describes the rules.
///
/// - Parameters:
///   - device: The id of the person's device, or `nil` to use the outer scope's.
///   - user: The app's id for the user, or `nil` to use the outer scope's or the engine's user.
///   - session: The session's id, or `nil` to use the outer scope's or the engine's session.
///   - parameters: The parameters of each event.
///   - body: The closure.
/// - Returns: The result of the closure.
/// - Throws: The error of the closure.
public func withTracking<Result>(
    device: String? = nil,
    user: String? = nil,
    session: String? = nil,
    parameters: EventParameters = [],
    _ body: () async throws -> Result
) async rethrows -> Result {
    let scope = TrackingScope(device: device, user: user, session: session, parameters: parameters)
    return try await TrackingScope.$bound.withValue(scope, operation: body)
}

/// The device, user, session and parameters of a task's events.
package final class TrackingScope: Sendable {
    @TaskLocal static var bound: TrackingScope?
    /// Whether the process has entered any scope.
    ///
    /// Reading it is cheaper than reading a task-local value, and most apps have no scopes.
    private static let isUsed = Atomic(false)

    /// The scope of the current task.
    package static var current: TrackingScope? { isUsed.load(ordering: .relaxed) ? bound : nil }

    /// The parameters, including the outer scopes' parameters.
    package let parameters: EventParameters
    /// Whether the id of the device, the user or the session is too long, so it is not used.
    package let hasLongID: Bool
    /// The values of the scope's device, user or session, or `nil` if the scope has the engine's identity.
    package let values: ScopeValues?
    private let user: KnownUser?
    private let session: String?
    /// The id of the device, or `nil` if the scope has neither a device, a user nor a session.
    private let device: String?
    private let isDeviceDerived: Bool
    /// The engine's identity at the last event, and the identity of the scope's events made from it.
    private let made = Mutex<(base: FrozenIdentity, identity: FrozenIdentity, start: Timestamp)?>(nil)

    /// Creates a scope inside the current one.
    init(device: String? = nil, user: String?, session: String?, parameters: EventParameters) {
        TrackingScope.isUsed.store(true, ordering: .relaxed)
        let outer = TrackingScope.current
        // The hash is computed here, because events read the scope under a lock.
        let (known, usable) = (user.flatMap { KnownUser($0) }, session.flatMap { Identity.isUsable($0) ? $0 : nil })
        let own = device.flatMap { Identity.isUsable($0) && !$0.isEmpty ? $0 : nil }
        hasLongID =
            (user != nil && known == nil) || (session != nil && usable == nil)
            || (device?.isEmpty == false && own == nil) || outer?.hasLongID == true
        self.user = known ?? outer?.user
        self.session = usable ?? outer?.session
        let given = own ?? outer.flatMap { $0.isDeviceDerived ? nil : $0.device }
        self.device = given ?? Identity.derivedDeviceID(ofUser: self.user?.id, session: self.session)
        isDeviceDerived = given == nil
        values = own == nil && known == nil && usable == nil ? outer?.values : ScopeValues()
        self.parameters = outer.map { $0.parameters.merging(parameters) } ?? parameters
    }

    /// Whether the events belong to the engine's session.
    var hasEngineSession: Bool { session == nil }

    /// Returns the default parameters of an event, overlaid by the scope's.
    package func defaults(over wider: EventParameters) -> EventParameters { wider.merging(parameters) }

    /// Returns the identity of an event.
    ///
    /// - Parameters:
    ///   - base: The engine's identity, which applies if the scope has neither a device, a user nor a session.
    ///   - time: The event's time. The first event of the scope starts its session.
    func identity(over base: FrozenIdentity, at time: Timestamp) -> FrozenIdentity {
        guard let device else { return base }
        return made.withLock { made in
            if let made, made.base === base { return made.identity }
            var identity = base.identity
            identity.setScopeDevice(device, isDerived: isDeviceDerived)
            if let user { identity.setUser(user) }
            let start = made?.start ?? time
            if let session { identity.setSession(id: session, at: start, number: session.sessionNumber) }
            let frozen = FrozenIdentity(identity)
            made = (base, frozen, start)
            return frozen
        }
    }
}

/// The values of options that belong to the device, the user or the session of a scope.
package final class ScopeValues: Sendable {
    private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])

    /// Returns the value of an owner, or `nil` if there is none of this type.
    package func value<Value: Sendable>(of owner: AnyObject) -> Value? {
        values.withLock { $0[ObjectIdentifier(owner)] as? Value }
    }

    /// Changes the value of an owner, or a first one.
    package func change<Value: Sendable, Failure: Error>(
        of owner: AnyObject,
        from first: Value,
        _ body: (inout Value) throws(Failure) -> Void
    ) throws(Failure) {
        try values.withLock { values throws(Failure) in
            var value = values[ObjectIdentifier(owner)] as? Value ?? first
            try body(&value)
            values[ObjectIdentifier(owner)] = value
        }
    }
}

extension String {
    /// The number of a session with this id, which is positive and exact as a double.
    fileprivate var sessionNumber: Int64 { Int64(stableHash >> 11) | 1 }
}
