/// What is known of parameters beside their elements: how large and how deep they are, and the sensitive ones.
///
/// It is one word, so that a parameter's value stays as small as a text, and a flat set without sensitive values, as
/// most are, has no memory of its own for it.
enum ParameterShape: Sendable {
    /// A flat set of which nothing was left out and nothing is sensitive, of so many bytes.
    case plain(UInt32)
    /// Any other.
    case other(Other)

    /// What few sets have.
    final class Other: Sendable {
        /// The sensitive values, by keys that no element has.
        let sensitive: [SensitiveParameter]
        let extent: Extent

        init(_ extent: Extent, _ sensitive: [SensitiveParameter]) {
            self.extent = extent
            self.sensitive = sensitive
        }
    }

    /// What is known of an empty set.
    static let empty = ParameterShape.plain(0)

    @inline(__always)
    init(_ extent: Extent, _ sensitive: [SensitiveParameter] = []) {
        if extent.isPlain, sensitive.isEmpty, let bytes = UInt32(exactly: extent.byteCount) {
            self = .plain(bytes)
        } else {
            self = .other(Other(extent, sensitive))
        }
    }

    /// How deep and how large the set is, and what holds for anything in it.
    var extent: Extent {
        switch self {
        case .plain(let bytes): Extent(byteCount: Int(bytes))
        case .other(let other): other.extent
        }
    }

    /// What holds for anything in the set.
    var marks: Extent.Marks {
        switch self {
        case .plain: []
        case .other(let other): other.extent.marks
        }
    }

    /// About how many bytes the set takes in memory.
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

    /// Whether the set is flat, with nothing left out and nothing sensitive.
    var isPlain: Bool {
        switch self {
        case .plain: true
        case .other: false
        }
    }
}

/// How deep and how large parameters are and what holds for anything in them, kept with them, so that asking costs
/// nothing.
struct Extent: Sendable {
    /// What holds for parameters or for anything in them.
    struct Marks: OptionSet, Sendable {
        let rawValue: UInt8
        /// Something was left out since it would have lain too deep.
        static let tooDeep = Marks(rawValue: 1)
        /// Something was left out since there were too many keys.
        static let tooMany = Marks(rawValue: 2)
        /// There is a sensitive value.
        static let sensitive = Marks(rawValue: 4)
    }

    /// How many levels lie in each other, this one included.
    private(set) var depth = 1
    var marks: Marks = []
    /// About how many bytes everything takes in memory; the greatest number where no number fits.
    private(set) var byteCount = 0

    init(byteCount: Int = 0) {
        self.byteCount = byteCount
    }

    /// Whether it is that of a flat set of which nothing was left out.
    var isPlain: Bool { depth == 1 && marks.isEmpty }

    /// Notes memory that something takes.
    @inline(__always)
    mutating func add(_ bytes: Int) {
        byteCount = byteCount.addingClamped(bytes)
    }

    /// Notes a value that lies in the parameters, but not the few bytes that each value takes.
    mutating func note(_ value: ParameterValue) {
        switch value {
        case .string(let text): add(text.utf8.count)
        case .int, .double, .bool: break
        case .array(let list): note(list.extent)
        case .object(let members): note(members.extent)
        }
    }

    /// Notes parameters that lie beside these, and not in them.
    mutating func merge(_ other: Extent) {
        depth = max(depth, other.depth)
        marks.formUnion(other.marks)
        add(other.byteCount)
    }

    private mutating func note(_ inner: Extent) {
        marks.formUnion(inner.marks)
        if inner.depth >= EventParameters.maximumDepth { marks.insert(.tooDeep) }
        depth = max(depth, min(inner.depth + 1, EventParameters.maximumDepth))
        add(inner.byteCount)
    }
}

extension ParameterValue {
    /// Whether it is a list or an object.
    var isNested: Bool {
        switch self {
        case .string, .int, .double, .bool: false
        case .array, .object: true
        }
    }

    /// Whether the value can lie in a list or an object without being too deep.
    var mayBeNested: Bool {
        switch self {
        case .string, .int, .double, .bool: true
        case .array(let list): list.extent.depth < EventParameters.maximumDepth
        case .object(let members): members.extent.depth < EventParameters.maximumDepth
        }
    }
}

extension Int {
    /// The sum, or the greatest number where it does not fit; of numbers that are not negative.
    @inline(__always)
    fileprivate func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
