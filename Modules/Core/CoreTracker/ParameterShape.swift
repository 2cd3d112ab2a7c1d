/// The properties of a set of parameters beside its elements: size, depth and sensitive values.
///
/// It is one pointer in size, which keeps ``ParameterValue`` as small as a string. Most sets are flat and have no
/// sensitive values; they allocate no memory for their shape.
enum ParameterShape: Sendable {
    /// A flat set without omissions and sensitive values, with its size in bytes.
    case plain(UInt32)
    /// Any other set.
    case other(Other)

    /// The properties that few sets have.
    final class Other: Sendable {
        /// The sensitive values.
        ///
        /// Their keys are not keys of elements.
        let sensitive: [SensitiveParameter]
        let extent: Extent

        init(_ extent: Extent, _ sensitive: [SensitiveParameter]) {
            self.extent = extent
            self.sensitive = sensitive
        }
    }

    /// The shape of an empty set.
    static let empty = ParameterShape.plain(0)

    @inline(__always)
    init(_ extent: Extent, _ sensitive: [SensitiveParameter] = []) {
        if extent.isPlain, sensitive.isEmpty, let bytes = UInt32(exactly: extent.byteCount) {
            self = .plain(bytes)
        } else {
            self = .other(Other(extent, sensitive))
        }
    }

    /// The depth and size of the set, and its marks.
    var extent: Extent {
        switch self {
        case .plain(let bytes): Extent(byteCount: Int(bytes))
        case .other(let other): other.extent
        }
    }

    /// The marks of the set and of the values in it.
    var marks: Extent.Marks {
        switch self {
        case .plain: []
        case .other(let other): other.extent.marks
        }
    }

    /// The approximate size of the set in memory, in bytes.
    var byteCount: Int {
        switch self {
        case .plain(let bytes): Int(bytes)
        case .other(let other): other.extent.byteCount
        }
    }

    /// The sensitive values.
    var sensitive: [SensitiveParameter] {
        switch self {
        case .plain: []
        case .other(let other): other.sensitive
        }
    }

    /// Whether the set is flat, without omissions and sensitive values.
    var isPlain: Bool {
        switch self {
        case .plain: true
        case .other: false
        }
    }
}

/// The depth, size and marks of parameters, stored with them to make each query a constant-time operation.
struct Extent: Sendable {
    /// A set of properties that parameters inherit from any value in them.
    struct Marks: OptionSet, Sendable {
        let rawValue: UInt8
        /// A value was left out because it was nested too deeply.
        static let tooDeep = Marks(rawValue: 1)
        /// A parameter was left out because there were too many keys.
        static let tooMany = Marks(rawValue: 2)
        /// There is a sensitive value.
        static let sensitive = Marks(rawValue: 4)
        /// A parameter without a declared name was left out because its value is `nil`.
        static let absent = Marks(rawValue: 8)
    }

    /// The number of nested levels, including this one.
    private(set) var depth = 1
    var marks: Marks = []
    /// The approximate size in memory, in bytes.
    ///
    /// If the sum overflows, it is `Int.max`.
    private(set) var byteCount = 0

    init(byteCount: Int = 0) {
        self.byteCount = byteCount
    }

    /// Whether the set is flat and nothing was left out of it.
    var isPlain: Bool { depth == 1 && marks.isEmpty }

    /// Adds a number of bytes.
    @inline(__always)
    mutating func add(_ bytes: Int) {
        byteCount = byteCount.addingClamped(bytes)
    }

    /// Adds a nested value, without the fixed size of the value itself.
    mutating func record(_ value: ParameterValue) {
        switch value {
        case .string(let text): add(text.utf8.count)
        case .int, .double, .bool: break
        case .array(let list): record(list.extent)
        case .object(let members): record(members.extent)
        }
    }

    /// Adds the extent of parameters on the same level.
    mutating func merge(_ other: Extent) {
        depth = max(depth, other.depth)
        marks.formUnion(other.marks)
        add(other.byteCount)
    }

    private mutating func record(_ inner: Extent) {
        marks.formUnion(inner.marks)
        if inner.depth >= EventParameters.maximumDepth { marks.insert(.tooDeep) }
        depth = max(depth, min(inner.depth + 1, EventParameters.maximumDepth))
        add(inner.byteCount)
    }
}

extension ParameterValue {
    /// Whether the value is a list or an object.
    var isNested: Bool {
        switch self {
        case .string, .int, .double, .bool: false
        case .array, .object: true
        }
    }

    /// Whether the value can be nested in a list or an object without exceeding the maximum depth.
    var mayBeNested: Bool {
        switch self {
        case .string, .int, .double, .bool: true
        case .array(let list): list.extent.depth < EventParameters.maximumDepth
        case .object(let members): members.extent.depth < EventParameters.maximumDepth
        }
    }
}

extension Int {
    /// Returns the sum of two nonnegative numbers, or `Int.max` if it overflows.
    @inline(__always)
    fileprivate func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
