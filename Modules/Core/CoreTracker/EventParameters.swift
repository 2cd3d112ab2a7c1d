/// The parameters of an event: unique keys in the order in which they were first written.
///
/// ```swift
/// FirebaseEvent("view_cart", [.count(count)])
/// ```
///
/// Lookup is linear, which is fastest for the few parameters of an event. A set has at most ``maximumCount`` keys and
/// ``maximumDepth`` levels. Parameters beyond these limits are left out when the set is built. This bounds the cost of
/// building and traversing it. An event with such parameters is rejected when it is tracked, and counted.
public struct EventParameters: Sendable {
    /// A single parameter.
    public struct Element: Sendable, Hashable {
        /// The parameter's wire name.
        public let key: ParameterKey
        /// The parameter's value.
        public var value: ParameterValue

        /// The wire name as text.
        @inlinable public var name: String { key.name }

        /// Creates a parameter.
        ///
        /// - Parameters:
        ///   - key: The parameter's wire name.
        ///   - value: The parameter's value.
        @inlinable
        public init(key: ParameterKey, value: ParameterValue) {
            self.key = key
            self.value = value
        }
    }

    /// The maximum number of keys in one set, which is far more than any service accepts for an event.
    public static let maximumCount = 1_024
    /// The maximum number of levels of lists and objects, including the set itself.
    public static let maximumDepth = 64

    /// The parameters in their order, without absent ones.
    ///
    /// The property is visible to inlined code, which makes a loop over the set as fast as a loop over an array. Its
    /// type is that of the arguments of an array literal, which is stored without a copy.
    @usableFromInline var written: [EventParameter]
    /// The depth, the size and, for few sets, the sensitive values and omissions.
    private var shape: ParameterShape

    /// The depth and size of the set, and the marks of the set and the values in it.
    private(set) var extent: Extent {
        get { shape.extent }
        set { shape = ParameterShape(newValue, shape.sensitive) }
    }

    /// Creates an empty set of parameters.
    public init() {
        (written, shape) = ([], .empty)
    }

    /// Creates parameters from pairs.
    ///
    /// - Parameter pairs: The keys and values. If a key repeats, its last value takes the position of the first.
    public init(_ pairs: some Sequence<(ParameterKey, ParameterValue)>) {
        self.init(written: pairs.map { EventParameter($0, $1) })
    }

    /// Creates parameters from an array literal.
    ///
    /// - Parameter written: The parameters. If a key repeats, its last value takes the position of the first.
    @usableFromInline
    init(written: consuming [EventParameter]) {
        var extent = Extent()
        guard !EventParameters.isSet(written, &extent) else {
            (self.written, shape) = (written, ParameterShape(extent))
            return
        }
        (self.written, shape) = ([], .empty)
        var hasAbsent = false
        for parameter in written {
            if let value = parameter.value { self[parameter.parameterKey] = value }
            if parameter.isAbsent, !parameter.isDeclared { hasAbsent = true }
        }
        if hasAbsent { self.extent.marks.insert(.absent) }
    }

    /// Whether the parameters are a valid set: no key repeats, no value is absent, and no limit is exceeded.
    ///
    /// Adds the parameters to `extent`. Two keys are compared only if their fingerprints agree in six bits, which is
    /// rare in one event. This function runs for each service of each event, so the rare comparison is in a separate
    /// function.
    private static func isSet(_ written: borrowing [EventParameter], _ extent: inout Extent) -> Bool {
        guard written.count <= maximumCount else { return false }
        var seen: UInt64 = 0
        // This many strings cannot exceed the range of an integer in bytes.
        var bytes = written.count &* MemoryLayout<EventParameter>.stride
        for index in written.indices {
            guard !written[index].isAbsent else { return false }
            let fingerprint = written[index].keyFingerprint
            let bits = fingerprint == 0 ? UInt64.max : 1 << UInt64(fingerprint & 63)
            if seen & bits != 0, isRepeated(index, in: written) { return false }
            seen |= bits
            bytes &+= written[index].keyName.utf8.count
            if case .string(let text) = written[index].parameterValue {
                bytes &+= text.utf8.count
            } else if written[index].parameterValue.isNested {
                extent.record(written[index].parameterValue)
            }
        }
        extent.add(bytes)
        return !extent.marks.contains(.tooDeep)
    }

    /// Whether an earlier parameter has the same key.
    @inline(never)
    private static func isRepeated(_ later: Int, in written: borrowing [EventParameter]) -> Bool {
        for earlier in 0..<later where written[earlier].parameterKey == written[later].parameterKey { return true }
        return false
    }

    /// The value for a key.
    ///
    /// Setting `nil` removes the parameter. Setting a new key appends it. Setting a value for the key of a sensitive
    /// value replaces that one.
    ///
    /// - Parameter key: The parameter's wire name.
    public subscript(key: ParameterKey) -> ParameterValue? {
        get { written.first { $0.parameterKey == key }?.parameterValue }
        set {
            if !sensitive.isEmpty { removeSensitive(key) }
            if let newValue, !newValue.mayBeNested { extent.marks.insert(.tooDeep) }
            let index = written.firstIndex { $0.parameterKey == key }
            switch (index, newValue.flatMap { $0.mayBeNested ? $0 : nil }) {
            case (let index?, let value?):
                written[index].parameterValue = value
                renew()
            case (let index?, nil):
                written.remove(at: index)
                renew()
            case (nil, let value?): append(EventParameter(key, value))
            case (nil, nil): break
            }
        }
    }

    private mutating func append(_ parameter: EventParameter) {
        guard written.count < EventParameters.maximumCount else {
            extent.marks.insert(.tooMany)
            return
        }
        written.append(parameter)
        extent.record(parameter)
    }

    /// Recomputes the extent of all parameters.
    ///
    /// The marks for omitted parameters are kept.
    private mutating func renew() {
        var extent = Extent()
        extent.marks = shape.marks.subtracting(.sensitive)
        for index in written.indices { extent.record(written[index]) }
        for parameter in sensitive { extent.merge(parameter.extent) }
        self.extent = extent
    }

    /// Whether there are no elements, no sensitive values and no omissions to count.
    var isNothing: Bool { isEmpty && shape.isPlain }

    /// Returns these parameters overlaid by others.
    ///
    /// - Parameter others: The other parameters. The value of an equal key replaces the value here, at the same
    ///   position.
    /// - Returns: The merged set.
    public func merging(_ others: EventParameters) -> EventParameters {
        if isNothing { return others }
        if others.isNothing { return self }
        guard sensitive.isEmpty, written.count + others.written.count <= EventParameters.maximumCount else {
            return mergingOneByOne(others)
        }
        var merged = EventParameters()
        merged.written = EventParameters.overlay(written, by: others.written)
        merged.recordOmissions(of: self)
        merged.recordOmissions(of: others)
        merged.renew()
        for other in others.sensitive { merged.insert(other) }
        return merged
    }

    /// Whether both sets use the same storage, in constant time.
    ///
    /// Sets with different storage can still be equal.
    ///
    /// - Parameter other: The other set.
    package func isIdentical(to other: EventParameters) -> Bool {
        guard shape.isPlain, other.shape.isPlain, written.count == other.written.count else { return false }
        return unsafe written.withUnsafeBufferPointer { own in
            unsafe other.written.withUnsafeBufferPointer { unsafe own.baseAddress == $0.baseAddress }
        }
    }

    /// Merges the parameters one by one, because a parameter can replace a sensitive one.
    private func mergingOneByOne(_ others: EventParameters) -> EventParameters {
        var merged = self
        merged.recordOmissions(of: others)
        for other in others.written { merged[other.parameterKey] = other.parameterValue }
        for other in others.sensitive { merged.insert(other) }
        return merged
    }

    /// Overlays a set by another one in a single allocation, because defaults are merged into each event.
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

    /// The sensitive values in the order in which they were added, without those of nested objects.
    package var sensitive: [SensitiveParameter] { shape.sensitive }

    /// Whether there are sensitive values in this set or in nested objects.
    package var hasSensitive: Bool { shape.marks.contains(.sensitive) }

    /// Adds a sensitive value and removes an equal key.
    ///
    /// - Parameter parameter: The sensitive value with its key and policy.
    package mutating func insert(_ parameter: SensitiveParameter) {
        self[parameter.key] = nil
        var extent = extent
        guard sensitive.count < EventParameters.maximumCount else {
            extent.marks.insert(.tooMany)
            return self.extent = extent
        }
        extent.merge(parameter.extent)
        shape = ParameterShape(extent, sensitive + [parameter])
    }

    private mutating func removeSensitive(_ key: ParameterKey) {
        let others = sensitive.filter { $0.key != key }
        guard others.count < sensitive.count else { return }
        shape = ParameterShape(extent, others)
        renew()
    }
}

// Limits, and the omissions that they caused.
extension EventParameters {
    /// The limit that the parameters of an event exceed.
    package enum Excess: Sendable, Equatable {
        /// A value was nested too deeply.
        case tooDeep
        /// The set had too many keys.
        case tooMany
    }

    /// The reason parameters were left out when the set was built, or `nil` if it is complete.
    package var excess: Excess? {
        let marks = shape.marks
        if marks.contains(.tooDeep) { return .tooDeep }
        return marks.contains(.tooMany) ? .tooMany : nil
    }

    /// Whether a parameter of this set or of a nested object was left out because its value is `nil` and its name is
    /// not declared.
    package var hasAbsent: Bool { shape.marks.contains(.absent) }

    /// The approximate size in memory in bytes, including all keys and strings, in constant time.
    package var byteCount: Int { shape.byteCount }

    /// Records that parameters were left out of a set that this one is built from.
    ///
    /// - Parameter others: The set from which parameters may have been left out.
    package mutating func recordOmissions(of others: EventParameters) {
        let omitted = others.shape.marks.subtracting(.sensitive)
        if !omitted.isEmpty { extent.marks.formUnion(omitted) }
    }
}

extension Extent {
    /// Adds a parameter with its key.
    @inline(__always)
    fileprivate mutating func record(_ parameter: EventParameter) {
        add(MemoryLayout<EventParameter>.stride &+ parameter.keyName.utf8.count)
        record(parameter.parameterValue)
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
        left.elementsEqual(right) && left.sensitive == right.sensitive
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { hasher.combine(element) }
        for parameter in sensitive { hasher.combine(parameter) }
    }
}

extension EventParameters: ExpressibleByArrayLiteral {
    /// Creates parameters with declared names, such as `[.listID("shoes"), .position(3)]`.
    ///
    /// - Parameter written: The parameters. Those with a `nil` value are left out.
    @inlinable
    public init(arrayLiteral written: EventParameter...) {
        self.init(written: written)
    }
}

extension EventParameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters from names and values, such as `["list_id": "shoes", "position": 3]`.
    ///
    /// - Parameter pairs: The keys and values. If a key repeats, its last value takes the position of the first.
    public init(dictionaryLiteral pairs: (ParameterKey, ParameterValue)...) {
        if pairs.isEmpty { self.init() } else { self.init(pairs) }
    }
}
