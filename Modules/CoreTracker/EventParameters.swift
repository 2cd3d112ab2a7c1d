/// The parameters of an event: unique keys in the order in which they were first written.
///
/// Look-up is linear; events carry a handful of parameters, for which that is the quickest.
public struct EventParameters: Sendable {
    /// One parameter.
    public struct Element: Sendable, Hashable {
        /// The parameter's wire name.
        public let key: ParameterKey
        /// The parameter's value.
        public var value: ParameterValue

        /// Creates a parameter.
        @inlinable
        public init(key: ParameterKey, value: ParameterValue) {
            self.key = key
            self.value = value
        }
    }

    /// The parameters in their order; in sight of the compiler, so that a loop over them costs what one over it does.
    ///
    /// They are pairs, so that the array that a literal makes is taken as it is.
    @usableFromInline var pairs: [(ParameterKey, ParameterValue)]
    /// The sensitive values, by keys that no element has; `nil` for none, which costs nothing to copy.
    private var protected: [SensitiveParameter]?

    /// Creates an empty set of parameters.
    public init() {
        pairs = []
    }

    /// Creates parameters from pairs; of two equal keys the later value stands at the place of the first.
    public init(_ pairs: some Sequence<(ParameterKey, ParameterValue)>) {
        self.init(unique: Array(pairs))
    }

    private init(unique pairs: [(ParameterKey, ParameterValue)]) {
        self.pairs = pairs
        guard EventParameters.hasEqualKeys(pairs) else { return }
        self.pairs = []
        for (key, value) in pairs { self[key] = value }
    }

    /// Compares only keys whose fingerprints agree in six bits, which few of an event's do.
    private static func hasEqualKeys(_ pairs: [(ParameterKey, ParameterValue)]) -> Bool {
        var seen: UInt64 = 0
        for later in pairs.indices {
            let fingerprint = pairs[later].0.fingerprint
            let bits = fingerprint == 0 ? UInt64.max : 1 << UInt64(fingerprint & 63)
            if seen & bits != 0 {
                for earlier in 0..<later where pairs[earlier].0 == pairs[later].0 { return true }
            }
            seen |= bits
        }
        return false
    }

    /// The value of a key; setting `nil` removes the parameter, setting a new key appends it.
    public subscript(key: ParameterKey) -> ParameterValue? {
        get { pairs.first { $0.0 == key }?.1 }
        set {
            if protected != nil { removeSensitive(key) }
            let index = pairs.firstIndex { $0.0 == key }
            switch (index, newValue) {
            case (let index?, let value?): pairs[index].1 = value
            case (let index?, nil): pairs.remove(at: index)
            case (nil, let value?): pairs.append((key, value))
            case (nil, nil): break
            }
        }
    }

    /// Returns these parameters overlaid by others: an equal key takes the other's value and keeps its place.
    public func merging(_ others: EventParameters) -> EventParameters {
        if isEmpty, protected == nil { return others }
        var merged = self
        for (key, value) in others.pairs { merged[key] = value }
        for other in others.sensitive { merged.insert(other) }
        return merged
    }

    /// The sensitive values, in the order in which they were added.
    package var sensitive: [SensitiveParameter] { protected ?? [] }

    /// Whether there are sensitive values.
    package var hasSensitive: Bool { protected != nil }

    /// Adds a sensitive value in the place of an equal key.
    package mutating func insert(_ parameter: SensitiveParameter) {
        self[parameter.key] = nil
        protected = sensitive + [parameter]
    }

    /// Takes all sensitive values out.
    mutating func removeSensitive() -> [SensitiveParameter] {
        defer { protected = nil }
        return sensitive
    }

    private mutating func removeSensitive(_ key: ParameterKey) {
        let rest = sensitive.filter { $0.key != key }
        protected = rest.isEmpty ? nil : rest
    }
}

extension EventParameters: RandomAccessCollection {
    @inlinable public var startIndex: Int { pairs.startIndex }
    @inlinable public var endIndex: Int { pairs.endIndex }
    @inlinable public subscript(position: Int) -> Element {
        Element(key: pairs[position].0, value: pairs[position].1)
    }
}

extension EventParameters: Hashable {
    public static func == (left: EventParameters, right: EventParameters) -> Bool {
        left.elementsEqual(right) && left.protected == right.protected
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { hasher.combine(element) }
        hasher.combine(protected)
    }
}

extension EventParameters: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral pairs: (ParameterKey, ParameterValue)...) {
        self.init(unique: pairs)
    }
}
