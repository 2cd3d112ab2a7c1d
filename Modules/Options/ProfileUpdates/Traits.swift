public import CoreTracker

/// Traits of a user or of a group: values to set, and names to remove.
///
/// A `nil` removes a trait at each service that supports it:
///
/// ```swift
/// engine.user.setTraits(["plan": "gold", "phone": nil])
/// ```
public struct Traits: Sendable, Equatable {
    /// The traits to set.
    public private(set) var values: EventParameters
    /// The names of the traits to remove, which are not among ``values``.
    public private(set) var removed: [ParameterKey] = []

    /// Creates traits to set.
    ///
    /// - Parameter values: The traits. A parameter left out because of `nil` changes nothing; use a literal of traits
    ///   to remove one.
    public init(_ values: EventParameters = [:]) {
        self.values = values
    }

    /// Creates traits with one sensitive value, as `EventParameters.sensitive(_:as:policy:)` does.
    ///
    /// - Parameters:
    ///   - value: The sensitive value.
    ///   - key: The trait's wire name.
    ///   - policy: The rule for passing the value to a service.
    /// - Returns: The traits.
    public static func sensitive(
        _ value: Sensitive<some ParameterRepresentable>,
        as key: ParameterKey,
        policy: SensitivePolicy
    ) -> Traits {
        Traits(.sensitive(value, as: key, policy: policy))
    }

    /// Whether nothing is set or removed.
    public var isEmpty: Bool { values.isEmpty && !values.hasSensitive && removed.isEmpty }

    /// Returns these traits overlaid by others.
    ///
    /// - Parameter others: The other traits, which win over an equal name here.
    /// - Returns: The merged traits.
    public func merging(_ others: Traits) -> Traits {
        var merged = self
        for key in others.removed { merged.set(key, nil) }
        merged.values = merged.values.merging(others.values)
        let names = Set(others.values.map(\.key) + others.values.sensitive.map(\.key))
        merged.removed.removeAll { names.contains($0) }
        return merged
    }

    private mutating func set(_ key: ParameterKey, _ value: ParameterValue?) {
        values[key] = value
        removed.removeAll { $0 == key }
        if value == nil { removed.append(key) }
    }
}

extension Traits: ExpressibleByArrayLiteral {
    /// Creates traits with declared names, such as `[.plan("gold"), .phone(nil)]`.
    ///
    /// - Parameter written: The traits. Those with a `nil` value are removed.
    public init(arrayLiteral written: EventParameter...) {
        self.init()
        for trait in written { set(trait.parameterKey, trait.value) }
    }
}

extension Traits: ExpressibleByDictionaryLiteral {
    /// Creates traits from names and values, such as `["plan": "gold", "phone": nil]`.
    ///
    /// - Parameter pairs: The names and values. If a name repeats, its last value counts.
    public init(dictionaryLiteral pairs: (ParameterKey, ParameterValue?)...) {
        self.init()
        for (key, value) in pairs { set(key, value) }
    }
}
