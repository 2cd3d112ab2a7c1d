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
        if isEmpty { return others }
        var merged = self
        for other in others.elements {
            merged[other.key] = other.value
        }
        return merged
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
