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

    /// The parameters in their order, none of them absent.
    ///
    /// They are in sight of the compiler, so that a loop over them costs what one over an array does, and of the type
    /// that an array literal makes, which is taken as it is.
    @usableFromInline var written: [EventParameter]
    /// The sensitive values, by keys that no element has; `nil` for none, which costs nothing to copy.
    private var protected: [SensitiveParameter]?

    /// Creates an empty set of parameters.
    public init() {
        written = []
    }

    /// Creates parameters from pairs; of two equal keys the later value stands at the place of the first.
    public init(_ pairs: some Sequence<(ParameterKey, ParameterValue)>) {
        self.init(written: pairs.map { EventParameter($0, $1) })
    }

    /// Creates parameters as they are written: of two equal keys the later value stands at the place of the first.
    @usableFromInline
    init(written: consuming [EventParameter]) {
        guard !EventParameters.isSet(written) else {
            self.written = written
            return
        }
        self.written = []
        for parameter in written where !parameter.isAbsent { self[parameter.parameterKey] = parameter.parameterValue }
    }

    /// Whether no key occurs twice and no element is absent.
    ///
    /// Compares only keys whose fingerprints agree in six bits, which few of an event's do.
    private static func isSet(_ written: borrowing [EventParameter]) -> Bool {
        var seen: UInt64 = 0
        for later in written.indices {
            guard !written[later].isAbsent else { return false }
            let fingerprint = written[later].parameterKey.fingerprint
            let bits = fingerprint == 0 ? UInt64.max : 1 << UInt64(fingerprint & 63)
            if seen & bits != 0 {
                for earlier in 0..<later where written[earlier].parameterKey == written[later].parameterKey {
                    return false
                }
            }
            seen |= bits
        }
        return true
    }

    /// The value of a key; setting `nil` removes the parameter, setting a new key appends it.
    public subscript(key: ParameterKey) -> ParameterValue? {
        get { written.first { $0.parameterKey == key }?.parameterValue }
        set {
            if protected != nil { removeSensitive(key) }
            let index = written.firstIndex { $0.parameterKey == key }
            switch (index, newValue) {
            case (let index?, let value?): written[index].parameterValue = value
            case (let index?, nil): written.remove(at: index)
            case (nil, let value?): written.append(EventParameter(key, value))
            case (nil, nil): break
            }
        }
    }

    /// Returns these parameters overlaid by others: an equal key takes the other's value and keeps its place.
    public func merging(_ others: EventParameters) -> EventParameters {
        if isEmpty, protected == nil { return others }
        if others.isEmpty, others.protected == nil { return self }
        guard protected == nil else { return mergingOneByOne(others) }
        var merged = EventParameters()
        merged.written = EventParameters.overlay(written, by: others.written)
        for other in others.sensitive { merged.insert(other) }
        return merged
    }

    /// Whether these are the same parameters in the same memory, which is quick to know.
    ///
    /// Others can be equal, too.
    package func isIdentical(to other: EventParameters) -> Bool {
        guard protected == nil, other.protected == nil, written.count == other.written.count else { return false }
        return unsafe written.withUnsafeBufferPointer { own in
            unsafe other.written.withUnsafeBufferPointer { unsafe own.baseAddress == $0.baseAddress }
        }
    }

    /// Merges where a parameter can take the place of a sensitive one.
    private func mergingOneByOne(_ others: EventParameters) -> EventParameters {
        var merged = self
        for other in others.written { merged[other.parameterKey] = other.parameterValue }
        for other in others.sensitive { merged.insert(other) }
        return merged
    }

    /// Lays a set over another one, in one allocation: defaults are merged at each event.
    private static func overlay(_ set: [EventParameter], by others: [EventParameter]) -> [EventParameter] {
        unsafe Array(unsafeUninitializedCapacity: set.count + others.count) { merged, count in
            count = unsafe merged.initialize(fromContentsOf: set)
            for other in others {
                var place = 0
                while unsafe place < set.count && merged[place].parameterKey != other.parameterKey { place += 1 }
                if place < set.count {
                    unsafe merged[place].parameterValue = other.parameterValue
                } else {
                    unsafe merged.initializeElement(at: count, to: other)
                    count += 1
                }
            }
        }
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
    @inlinable public var startIndex: Int { written.startIndex }
    @inlinable public var endIndex: Int { written.endIndex }
    @inlinable public subscript(position: Int) -> Element {
        Element(key: written[position].parameterKey, value: written[position].parameterValue)
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

extension EventParameters: ExpressibleByArrayLiteral {
    /// Creates parameters of declared names, `[.listID("shoes"), .position(3)]`; what is `nil` is left out.
    @inlinable
    public init(arrayLiteral written: EventParameter...) {
        self.init(written: written)
    }
}

extension EventParameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters of names and values, `["list_id": "shoes", "position": 3]`.
    public init(dictionaryLiteral pairs: (ParameterKey, ParameterValue)...) {
        if pairs.isEmpty { self.init() } else { self.init(pairs) }
    }
}
