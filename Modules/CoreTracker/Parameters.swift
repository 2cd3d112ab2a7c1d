/// The parameters of an event: unique keys in the order in which they were first written.
///
/// Look-up is linear; events carry a handful of parameters, for which that is the quickest.
public struct Parameters: Sendable, Hashable {
    /// One parameter.
    public struct Element: Sendable, Hashable {
        /// The parameter's wire name.
        public let key: ParameterKey
        /// The parameter's value.
        public var value: ParameterValue

        /// Creates a parameter.
        public init(key: ParameterKey, value: ParameterValue) {
            self.key = key
            self.value = value
        }
    }

    /// The parameters in their order; in sight of the compiler, so that a loop over them costs what one over it does.
    @usableFromInline var elements: [Element]
    /// The sensitive values, by keys that no element has; `nil` for none, which costs nothing to copy.
    private var protected: [SensitiveParameter]?

    /// Creates an empty set of parameters.
    public init() {
        elements = []
    }

    /// Creates parameters from pairs; of two equal keys the later value stands at the place of the first.
    public init(_ pairs: some Sequence<(ParameterKey, ParameterValue)>) {
        elements = []
        elements.reserveCapacity(pairs.underestimatedCount)
        for (key, value) in pairs {
            self[key] = value
        }
    }

    /// The value of a key; setting `nil` removes the parameter, setting a new key appends it.
    public subscript(key: ParameterKey) -> ParameterValue? {
        get { elements.first { $0.key == key }?.value }
        set {
            if protected != nil { removeSensitive(key) }
            let index = elements.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): elements[index].value = value
            case (let index?, nil): elements.remove(at: index)
            case (nil, let value?): elements.append(Element(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Returns these parameters overlaid by others: an equal key takes the other's value and keeps its place.
    public func merging(_ others: Parameters) -> Parameters {
        if isEmpty, protected == nil { return others }
        var merged = self
        for other in others.elements {
            merged[other.key] = other.value
        }
        for other in others.sensitive { merged.insert(other) }
        return merged
    }

    /// The sensitive values, in the order in which they were added.
    package var sensitive: [SensitiveParameter] { protected ?? [] }

    /// Whether there are sensitive values.
    package var hasSensitive: Bool { protected != nil }

    /// Adds a sensitive value in the place of an equal key.
    mutating func insert(_ parameter: SensitiveParameter) {
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

extension Parameters: RandomAccessCollection {
    @inlinable public var startIndex: Int { elements.startIndex }
    @inlinable public var endIndex: Int { elements.endIndex }
    @inlinable public subscript(position: Int) -> Element { elements[position] }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral pairs: (ParameterKey, ParameterValue)...) {
        self.init(pairs)
    }
}
