public import CoreTracker
import Locks

/// A user was exposed to a variant of a feature flag.
public struct FlagExposed: CoreTrackable, Hashable {
    /// The flag's name.
    public let flag: String
    /// The variant.
    public let variant: String

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - flag: The flag's name.
    ///   - variant: The variant.
    public init(flag: String, variant: String) {
        self.flag = flag
        self.variant = variant
    }

    public var services: [EventService] {
        FirebaseEvent("flag_exposed", [.flag(flag), .variant(variant)])
        AwesomeTrackingEvent("flag_exposed", [.flag(flag), .variant(variant)])
    }
}

extension FlagExposed: PlannedEvent {
    public static var plan: EventPlan<FlagExposed> {
        EventPlan(
            "Flag exposed",
            owner: "App platform",
            purpose: "Which users saw which variant.",
            introduced: "1.0",
            examples: [FlagExposed(flag: "new_checkout", variant: "b")]
        )
    }
}

extension EventCatalog {
    /// Returns the catalog of ``FlagExposed``, for the tracking plan of a product that uses feature flags.
    ///
    /// - Parameter product: The prefix of the product, such as `DL`.
    /// - Returns: The catalog.
    public static func featureFlags(of product: String) -> EventCatalog {
        EventCatalog("EventDeliveryAPI", product: product, events: [FlagExposed.self])
    }
}

/// The parameter keys of an exposure.
extension EventParameter {
    /// The name of a feature flag.
    static let flag = Key<String>("flag")
    /// The variant of a feature flag.
    static let variant = Key<String>("variant")
}

/// The reason for not setting a feature flag.
public enum FlagError: Error, Hashable {
    /// The name is empty, has more than 32 characters, contains a character other than an ASCII letter, a digit or an
    /// underscore, or does not start with a letter.
    case invalidName(String)
    /// The variant is empty or longer than 100 bytes.
    case invalidVariant(String)
    /// The product already has the maximum number of flags.
    case tooManyFlags(maximum: Int)
}

extension FlagError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidName(let name):
            "'\(name)' is not a flag's name: use 1 to 32 ASCII letters, digits and underscores, the first one a letter"
        case .invalidVariant(let variant):
            "'\(variant)' is not a variant: use 1 to 100 bytes"
        case .tooManyFlags(let maximum):
            "there are \(maximum) flags already; remove one by setting its variant to nil"
        }
    }
}

/// The feature flags of one user in a product.
struct FeatureFlags: Sendable {
    /// The maximum number of flags, each of which is a parameter of every event.
    static let maximumCount = 16
    /// The start of the parameters' names.
    static let prefix = "flag_"

    private var flags: [(name: String, variant: String)] = []

    /// The flags as parameters, in the order in which they were set.
    var parameters: EventParameters {
        EventParameters(flags.map { (ParameterKey(FeatureFlags.prefix + $0.name), .string($0.variant)) })
    }

    /// Sets or removes a flag.
    ///
    /// Returns whether the parameters have changed.
    mutating func set(_ name: String, _ variant: String?) throws(FlagError) -> Bool {
        guard let variant else {
            let count = flags.count
            flags.removeAll { $0.name == name }
            return flags.count != count
        }
        guard FeatureFlags.isName(name) else { throw .invalidName(name) }
        guard (1...100).contains(variant.utf8.count) else { throw .invalidVariant(variant) }
        if let index = flags.firstIndex(where: { $0.name == name }) {
            defer { flags[index].variant = variant }
            return flags[index].variant != variant
        }
        guard flags.count < FeatureFlags.maximumCount else {
            throw .tooManyFlags(maximum: FeatureFlags.maximumCount)
        }
        flags.append((name, variant))
        return true
    }

    private static func isName(_ name: String) -> Bool {
        guard (1...32).contains(name.utf8.count), let first = name.utf8.first, first.isASCIILetter else { return false }
        return name.utf8.allSatisfy {
            $0.isASCIILetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
        }
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}

/// The tracked exposures, each once for a user, a session and a variant.
struct FlagExposures: Sendable {
    /// The maximum number of known users and sessions.
    ///
    /// An exposure in another one is tracked again.
    static let maximumVisits = 1_024

    private struct Visit: Hashable {
        let user: UserHash
        let session: String
    }

    private var exposed: [Visit: Set<FlagExposed>] = [:]
    /// The keys of ``exposed``, the oldest first.
    private var visits: [Visit] = []

    /// Records an exposure.
    ///
    /// Returns whether to track it.
    mutating func insert(_ event: FlagExposed, of user: UserHash, in session: String) -> Bool {
        let visit = Visit(user: user, session: session)
        if exposed[visit] == nil {
            visits.append(visit)
            if visits.count > FlagExposures.maximumVisits { exposed[visits.removeFirst()] = nil }
        }
        return exposed[visit, default: []].insert(event).inserted
    }
}

/// The feature flags of a scope with a user or a session, for each product's settings.
final class ScopeFlags: Sendable {
    private let flags = Mutex<[ObjectIdentifier: FeatureFlags]>([:])

    /// The flags of a product's settings.
    subscript(settings: ObjectIdentifier) -> FeatureFlags? { flags.withLock { $0[settings] } }

    /// Sets or removes a flag of a product's settings.
    func set(_ name: String, _ variant: String?, in settings: ObjectIdentifier) throws(FlagError) {
        try flags.withLock { flags throws(FlagError) in
            _ = try flags[settings, default: FeatureFlags()].set(name, variant)
        }
    }
}

extension ProductSettings {
    /// Sets the user's variant of a feature flag, and tracks the exposure.
    ///
    /// Call it whenever a feature shows a variant. From then on, the default parameters of the user's events include
    /// `flag_` followed by the flag's name. The exposure is tracked once for each user, session and variant, also if
    /// several tasks call this function at once. After a restart, it is tracked again.
    ///
    /// The variants belong to the engine's user: if the app identifies another user or removes the user, they no longer
    /// apply. In a closure of `withTracking(user:session:parameters:_:)` with a user or a session, they belong to the
    /// closure, so requests of a server do not share them.
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
        let buffer = engine.buffer
        try setFlag(name, variant, in: TrackingScope.current?.flags, or: buffer.identity)
        guard let variant else { return }
        let event = FlagExposed(flag: name, variant: variant)
        let identity = buffer.identityOfNextEvent(at: buffer.now).identity
        let session = buffer.identity.firstID(ofSession: identity.sessionID)
        if isNewExposure(event, of: identity.userHash, in: session) { tracker.track(event) }
    }
}
