public import Foundation

/// What an engine is opened with.
public struct DeliveryConfiguration: Sendable {
    /// The directory of the outbox, made with access for its owner only; `nil` keeps everything in memory.
    ///
    /// Each process has a file of its own in it, and takes over what ended processes have left there.
    public var directory: URL?
    /// Where the lanes deliver to; one destination for each lane.
    public var destinations: [any Destination]
    /// What carries the requests of all destinations that have no transport of their own.
    public var transport: any Transport
    /// How much may wait on this device.
    public var budget: DeliveryBudget
    /// What the user has said about each purpose so far.
    public var consent: [ConsentPurpose: Consent]
    /// What counts for a purpose that ``consent`` does not name.
    public var defaultConsent: Consent
    /// How many events of a name are taken at all.
    public var limits: TrackLimits
    /// A quiet time after which the next event begins a new session; `nil` leaves sessions to the app.
    public var sessionTimeout: Duration?
    /// The app's own key for the sensitive values whose policy is to be hashed; without one they are left out.
    ///
    /// The same value under the same salt has the same hash, on every device and for ever.
    public var salt: Secret?

    /// Creates a configuration.
    public init(
        directory: URL?,
        destinations: [any Destination],
        transport: any Transport = PlatformTransport(),
        budget: DeliveryBudget = DeliveryBudget(),
        consent: [ConsentPurpose: Consent] = [:],
        defaultConsent: Consent = .granted,
        limits: TrackLimits = .none,
        sessionTimeout: Duration? = .seconds(30 * 60),
        salt: Secret? = nil
    ) {
        self.directory = directory
        self.destinations = destinations
        self.transport = transport
        self.budget = budget
        self.consent = consent
        self.defaultConsent = defaultConsent
        self.limits = limits
        self.sessionTimeout = sessionTimeout
        self.salt = salt
    }
}
