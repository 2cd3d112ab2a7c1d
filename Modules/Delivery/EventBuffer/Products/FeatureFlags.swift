public import CoreTracker

/// A user was exposed to a variant of a feature flag.
public struct FlagExposed: CoreTrackable {
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
        EventCatalog("EventBuffer", product: product, events: [FlagExposed.self])
    }
}

/// The parameter keys of an exposure.
extension EventParameter {
    /// The name of a feature flag.
    static let flag = Key<String>("flag")
    /// The variant of a feature flag.
    static let variant = Key<String>("variant")
}

/// The reason that a feature flag is not set.
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

/// The feature flags of a product, with the exposures of the current session.
struct FeatureFlags: Sendable {
    /// The maximum number of flags, each of which is a parameter of every event.
    static let maximumCount = 16
    /// The start of the parameters' names.
    static let prefix = "flag_"

    private struct Flag {
        let name: String
        var variant: String
        /// The session in which the variant was tracked last, if any.
        var session: String?
    }

    private var flags: [Flag] = []

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
            guard flags[index].variant != variant else { return false }
            flags[index] = Flag(name: name, variant: variant)
            return true
        }
        guard flags.count < FeatureFlags.maximumCount else {
            throw .tooManyFlags(maximum: FeatureFlags.maximumCount)
        }
        flags.append(Flag(name: name, variant: variant))
        return true
    }

    /// Records an exposure in a session, or in one that its event will start.
    ///
    /// Returns whether to track it.
    mutating func exposes(_ name: String, in session: String?) -> Bool {
        guard let index = flags.firstIndex(where: { $0.name == name }) else { return false }
        guard session == nil || flags[index].session != session else { return false }
        flags[index].session = session
        return true
    }

    /// Sets the session that an exposure has started.
    mutating func setSession(_ session: String?, of name: String) {
        guard let index = flags.firstIndex(where: { $0.name == name }) else { return }
        flags[index].session = session
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

extension ProductSettings {
    /// Sets the variant of a feature flag that the user sees, and tracks the exposure once per session.
    ///
    /// Call it whenever a feature shows a variant. From then on, the default parameters include
    /// `flag_` followed by the flag's name. An exposure is tracked again in the next session, and if the variant changes.
    ///
    /// ```swift
    /// try DLSettings.current.setFlag("new_checkout", "b", tracker: tracker)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The flag's name: 1 to 32 ASCII letters, digits and underscores, the first one a letter.
    ///   - variant: The variant, at most 100 bytes, or `nil` to remove the flag and its parameter.
    ///   - tracker: The tracker that receives ``FlagExposed``.
    ///   - engine: The engine whose sessions count.
    /// - Throws: ``FlagError``. The flags are unchanged then.
    public func setFlag(
        _ name: String,
        _ variant: String?,
        tracker: any CoreTracker,
        engine: DeliveryEngine = .shared
    ) throws(FlagError) {
        try updateFlags { flags throws(FlagError) in try flags.set(name, variant) }
        guard let variant else { return }
        let session = engine.currentSession
        guard recordExposure({ $0.exposes(name, in: session) }) else { return }
        tracker.track(FlagExposed(flag: name, variant: variant))
        // The event may have started a session.
        if session == nil { recordExposure { $0.setSession(engine.currentSession, of: name) } }
    }
}
