public import CoreTracker
public import DeliveryLogging
public import EventQuotas
public import EventTracking

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings for opening an engine.
///
/// ```swift
/// var configuration = DeliveryConfiguration(
///     directory: URL.temporaryDirectory.appending(path: "events-\(UUID().uuidString)"),
///     destinations: [
///         FirebaseDestination(product: "AC", configuration: firebase),
///         ClickHouseDestination(product: "AC", configuration: rows),
///     ]
/// )
/// configuration.sessionTimeout = .seconds(10 * 60)
/// try await DeliveryEngine.shared.open(configuration)
/// ```
public struct DeliveryConfiguration: Sendable {
    /// The directory of the outbox, or `nil` to keep all events in memory.
    ///
    /// It is created with access for its owner only, and excluded from backups on Apple platforms. One engine of one
    /// process uses it at a time. While another one uses it, this engine keeps its events in the buffer and sends none.
    public var directory: URL?
    /// The destinations, at most one for each lane.
    public var destinations: [any Destination]
    /// The default transport, for destinations without their own.
    public var transport: any Transport
    /// The rule that determines when lanes send their stored events.
    public var schedule = SendingSchedule.standard
    /// The schedules of individual lanes, instead of ``schedule``.
    public var laneSchedules: [LaneID: SendingSchedule] = [:]
    /// The limits on stored events.
    public var budget = DeliveryBudget()
    /// The decisions about purposes without a stored decision by the user.
    ///
    /// A stored decision of the user overrides a grant or `unknown` here, so a grant here never lifts a stored denial.
    /// A denial here overrides a stored grant, as a call of `setConsent` would, unless the app has already set the
    /// purpose in this run. A purpose without an entry has ``defaultConsent``.
    public var consent: [ConsentPurpose: Consent] = [:]
    /// The decision about a purpose if neither the user nor ``consent`` has decided about it.
    public var defaultConsent: Consent
    /// The exchange of decisions between an app and its extensions, or `nil`.
    ///
    /// If the engine follows an app, it ignores ``consent`` and ``defaultConsent``: a purpose is unknown until the app
    /// has decided about it.
    public var sharing: DecisionSharing?
    /// The id of the installation if none is stored, or `nil` to create one.
    ///
    /// A stored id takes precedence. If the user denies the purposes of all destinations, this id is not used. An
    /// engine that follows an app uses the app's. <doc:Identity> has the rules.
    public var installation: InstallationID?
    /// Sampling and maximum rates by event name.
    public var quotas = TrackQuotas.none
    /// The time without an event after which the next event starts a new session.
    ///
    /// The default is 30 minutes. The session continues after a restart within the timeout. With `nil` the app starts
    /// sessions, and no restart continues one. <doc:Sessions> has all rules.
    public var sessionTimeout: Duration? = .seconds(30 * 60)
    /// The maximum duration of a session, or `nil` for none.
    ///
    /// The next event or visit then starts another one. The default is 24 hours. Without ``sessionTimeout``, it does
    /// not apply.
    public var sessionMaximum: Duration? = .seconds(24 * 60 * 60)
    /// The app's key for hashing sensitive values.
    ///
    /// Without a key, values whose policy is hashing are left out. The same value with the same salt always has the
    /// same hash, on every device.
    public var salt: Secret?
    /// The steps to change or drop events before they are encoded, in this order.
    public var middleware: [any EventMiddleware] = []
    /// The log of the causes of waiting and lost events.
    public var log = DeliveryLog.standard

    /// Creates a configuration.
    ///
    /// The other settings have defaults. Set them as properties.
    ///
    /// - Parameters:
    ///   - directory: The directory of the outbox, or `nil` to keep all events in memory.
    ///   - destinations: The destinations, at most one for each lane.
    ///   - transport: The default transport, for destinations without their own.
    ///   - defaultConsent: The decision about a purpose without a decision by the user or in ``consent``.
    public init(
        directory: URL?,
        destinations: [any Destination],
        transport: any Transport = PlatformTransport(),
        defaultConsent: Consent = .granted
    ) {
        self.directory = directory
        self.destinations = destinations
        self.transport = transport
        self.defaultConsent = defaultConsent
    }
}

extension DeliveryConfiguration {
    /// The rules of the engine's sessions.
    var sessions: SessionRules { SessionRules(timeout: sessionTimeout, maximum: sessionMaximum) }

    /// The configuration, in which only the app decides if the engine follows one.
    var withoutOwnDecisionsIfFollowing: DeliveryConfiguration {
        guard case .follow = sharing else { return self }
        var configuration = self
        (configuration.consent, configuration.defaultConsent) = ([:], .unknown)
        return configuration
    }
}
