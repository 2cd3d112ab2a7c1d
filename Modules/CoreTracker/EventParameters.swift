/// The parameters of an event: unique keys in the order in which they were first written.
///
/// Look-up is linear; events carry a handful of parameters, for which that is the quickest. A set has at most
/// ``maximumCount`` keys and ``maximumDepth`` levels. What comes beyond is left out when the set is built, which keeps
/// building quick and every walk through it safe; an event with such parameters is refused where it is tracked, and
/// counted.
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

    /// The most keys of one set: far more than any service takes of an event.
    public static let maximumCount = 1_024
    /// The most levels of lists and objects, the set itself included.
    public static let maximumDepth = 64

    /// The parameters in their order, none of them absent.
    ///
    /// They are in sight of the compiler, so that a loop over them costs what one over an array does, and of the type
    /// that an array literal makes, which is taken as it is.
    @usableFromInline var written: [EventParameter]
    /// How deep and how large the set is, with what few sets have beside.
    private var shape: ParameterShape

    /// How deep and how large the set is, and what holds for anything in it.
    private(set) var extent: Extent {
        get { shape.extent }
        set { shape = ParameterShape(newValue, shape.sensitive) }
    }

    /// Creates an empty set of parameters.
    public init() {
        (written, shape) = ([], .empty)
    }

    /// Creates parameters from pairs; of two equal keys the later value stands at the place of the first.
    public init(_ pairs: some Sequence<(ParameterKey, ParameterValue)>) {
        self.init(written: pairs.map { EventParameter($0, $1) })
    }

    /// Creates parameters as they are written: of two equal keys the later value stands at the place of the first.
    @usableFromInline
    init(written: consuming [EventParameter]) {
        var extent = Extent()
        guard !EventParameters.isSet(written, &extent) else {
            (self.written, shape) = (written, ParameterShape(extent))
            return
        }
        (self.written, shape) = ([], .empty)
        for parameter in written where !parameter.isAbsent { self[parameter.parameterKey] = parameter.parameterValue }
    }

    /// Whether no key occurs twice, no element is absent, and there is not too much of anything; notes what there is.
    ///
    /// Compares only keys whose fingerprints agree in six bits, which few of an event's do. Each event passes here for
    /// each of its services, so what is rare stands elsewhere.
    private static func isSet(_ written: borrowing [EventParameter], _ extent: inout Extent) -> Bool {
        guard written.count <= maximumCount else { return false }
        var seen: UInt64 = 0
        // So few texts cannot take more bytes than a number counts.
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
                extent.note(written[index].parameterValue)
            }
        }
        extent.add(bytes)
        return !extent.marks.contains(.tooDeep)
    }

    /// Whether a parameter's key stands at an earlier place, too.
    @inline(never)
    private static func isRepeated(_ later: Int, in written: borrowing [EventParameter]) -> Bool {
        for earlier in 0..<later where written[earlier].parameterKey == written[later].parameterKey { return true }
        return false
    }

    /// The value of a key; setting `nil` removes the parameter, setting a new key appends it.
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
        extent.note(parameter)
    }

    /// Looks through everything again; that something was left out stays known.
    private mutating func renew() {
        var extent = Extent()
        extent.marks = shape.marks.subtracting(.sensitive)
        for index in written.indices { extent.note(written[index]) }
        for parameter in sensitive { extent.merge(parameter.extent) }
        self.extent = extent
    }

    /// Returns these parameters overlaid by others: an equal key takes the other's value and keeps its place.
    public func merging(_ others: EventParameters) -> EventParameters {
        if isEmpty, shape.isPlain { return others }
        if others.isEmpty, others.shape.isPlain { return self }
        guard sensitive.isEmpty, written.count + others.written.count <= EventParameters.maximumCount else {
            return mergingOneByOne(others)
        }
        var merged = EventParameters()
        merged.written = EventParameters.overlay(written, by: others.written)
        merged.noteOmissions(of: self)
        merged.noteOmissions(of: others)
        merged.renew()
        for other in others.sensitive { merged.insert(other) }
        return merged
    }

    /// Whether these are the same parameters in the same memory, which is quick to know.
    ///
    /// Others can be equal, too.
    package func isIdentical(to other: EventParameters) -> Bool {
        guard shape.isPlain, other.shape.isPlain, written.count == other.written.count else { return false }
        return unsafe written.withUnsafeBufferPointer { own in
            unsafe other.written.withUnsafeBufferPointer { unsafe own.baseAddress == $0.baseAddress }
        }
    }

    /// Merges where a parameter can take the place of a sensitive one.
    private func mergingOneByOne(_ others: EventParameters) -> EventParameters {
        var merged = self
        merged.noteOmissions(of: others)
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

    /// The sensitive values, in the order in which they were added; not those of nested objects.
    package var sensitive: [SensitiveParameter] { shape.sensitive }

    /// Whether there are sensitive values, here or in nested objects.
    package var hasSensitive: Bool { shape.marks.contains(.sensitive) }

    /// Adds a sensitive value in the place of an equal key.
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

// Bounds, and what was left out because of them.
extension EventParameters {
    /// Why an event cannot have parameters.
    package enum Excess: Sendable, Hashable {
        /// Something lay too deep.
        case tooDeep
        /// There were too many keys.
        case tooMany
    }

    /// What was left out when the parameters were built; `nil` for nothing.
    package var excess: Excess? {
        let marks = shape.marks
        if marks.contains(.tooDeep) { return .tooDeep }
        return marks.contains(.tooMany) ? .tooMany : nil
    }

    /// About how many bytes the parameters take in memory, all keys and texts included; costs nothing.
    package var byteCount: Int { shape.byteCount }

    /// Notes that something was left out of parameters that these are made of.
    package mutating func noteOmissions(of others: EventParameters) {
        let omitted = others.shape.marks.subtracting(.sensitive)
        if !omitted.isEmpty { extent.marks.formUnion(omitted) }
    }
}

extension Extent {
    /// Notes a parameter with its key.
    @inline(__always)
    fileprivate mutating func note(_ parameter: EventParameter) {
        add(MemoryLayout<EventParameter>.stride &+ parameter.keyName.utf8.count)
        note(parameter.parameterValue)
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
        hasher.combine(sensitive)
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
