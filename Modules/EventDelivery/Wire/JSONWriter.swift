public import CoreTracker

/// Writes JSON (RFC 8259) into bytes, without intermediate values.
///
/// Commas are set by the writer. What has no JSON is counted in ``coercions``: a number that is not finite and a text
/// beyond ``maximumStringBytes`` are left out as members of an object and become `null` elsewhere, and what is nested
/// deeper than ``maximumDepth`` becomes `null`. Invalid nesting is the caller's to avoid; it never traps.
public struct JSONWriter: Sendable {
    /// The deepest nesting that is written; what a receiver parses recursively must not exhaust its stack.
    public static let maximumDepth = 32
    /// The longest text that is written, in bytes of UTF-8.
    public static let maximumStringBytes = 65_536
    /// The most memory that an emptied writer keeps.
    private static let keptCapacity = 1 << 20

    /// What has been written so far.
    public private(set) var bytes: [UInt8] = []
    /// How many values were left out or replaced by `null`.
    public private(set) var coercions = 0
    /// How many of the ``coercions`` were texts beyond ``maximumStringBytes``.
    public private(set) var oversizedStrings = 0
    private var needsComma = false
    private var isInString = false

    /// Creates an empty writer.
    public init() {}

    /// Empties the writer and keeps its memory, up to one megabyte.
    public mutating func reset() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= JSONWriter.keptCapacity)
        coercions = 0
        oversizedStrings = 0
        needsComma = false
        isInString = false
    }

    /// Starts an object, as a value.
    public mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Ends an object.
    public mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Starts a list, as a value.
    public mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Ends a list.
    public mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Starts a string that holds JSON: all that is written until ``endString()`` is escaped on its way.
    ///
    /// There is one level of this: such a string cannot hold another.
    public mutating func beginString() {
        separate()
        bytes.append(UInt8(ascii: "\""))
        needsComma = false
        isInString = true
    }

    /// Ends a string that holds JSON.
    public mutating func endString() {
        isInString = false
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes the key of an object's next member.
    public mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key from the program's own source; nothing in it may need an escape.
    public mutating func key(fixed name: StaticString) {
        separate()
        appendQuotationMark()
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        appendQuotationMark()
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes text; one beyond ``maximumStringBytes`` becomes `null` and is counted.
    public mutating func string(_ value: String) {
        guard value.utf8.count <= JSONWriter.maximumStringBytes else {
            countOversized()
            return null()
        }
        separate()
        quote(value)
        needsComma = true
    }

    /// Writes a whole number.
    public mutating func int(_ value: Int) {
        int(Int64(value))
    }

    /// Writes a whole number of 64 bits.
    public mutating func int(_ value: Int64) {
        separate()
        JSONText.append(value, to: &bytes)
        needsComma = true
    }

    /// Writes a whole number of 64 bits that is not negative.
    public mutating func int(_ value: UInt64) {
        separate()
        JSONText.append(value, to: &bytes)
        needsComma = true
    }

    /// Writes a number; one that is not finite becomes `null` and is counted.
    public mutating func double(_ value: Double) {
        guard value.isFinite else {
            coercions += 1
            return null()
        }
        separate()
        var text = value.description
        text.withUTF8 { bytes.append(contentsOf: $0) }
        needsComma = true
    }

    /// Writes a truth value.
    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
        needsComma = true
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
        needsComma = true
    }

    /// Writes an event id as text.
    public mutating func id(_ value: EventID) {
        separate()
        appendQuotationMark()
        value.write(to: &bytes)
        appendQuotationMark()
        needsComma = true
    }

    /// Writes JSON that is already encoded, as one value.
    public mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        if isInString {
            ContiguousArray(json).withUnsafeBufferPointer { JSONText.append($0, nested: false, to: &bytes) }
        } else {
            bytes.append(contentsOf: json)
        }
        needsComma = true
    }

    /// Writes a member of an object; a value that has no JSON leaves the member out and is counted.
    public mutating func member(_ name: String, _ value: ParameterValue) {
        member(name, value, depth: 1)
    }

    /// Writes a parameter's value.
    public mutating func value(_ value: ParameterValue) {
        self.value(value, depth: 1)
    }

    /// Writes parameters as an object.
    public mutating func object(_ parameters: Parameters) {
        value(.object(parameters), depth: 1)
    }
}

extension JSONWriter {
    /// A place in what has been written.
    package struct Mark: Sendable {
        fileprivate let count: Int
        fileprivate let needsComma: Bool
    }

    /// Writes a member of an object that has a key from the program's own source.
    package mutating func member(fixed name: StaticString, _ value: String) {
        key(fixed: name)
        string(value)
    }

    /// Writes a key that is known to need no escape, such as one of letters, digits and `_`.
    package mutating func key(verbatim name: String) {
        verbatim(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes text that is known to need no escape.
    package mutating func verbatim(_ text: String) {
        separate()
        appendQuotationMark()
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
        appendQuotationMark()
        needsComma = true
    }

    /// The place that has been reached, to return to when what follows turns out to be nothing.
    package var mark: Mark { Mark(count: bytes.count, needsComma: needsComma) }

    /// Takes back what has been written since a mark; what was counted stays counted.
    package mutating func rewind(to mark: Mark) {
        bytes.removeLast(max(0, bytes.count - mark.count))
        needsComma = mark.needsComma
    }
}

extension JSONWriter {
    private mutating func member(_ name: String, _ value: ParameterValue, depth: Int) {
        switch value {
        case _ where name.utf8.count > JSONWriter.maximumStringBytes: countOversized()
        case .double(let number) where !number.isFinite: coercions += 1
        case .string(let text) where text.utf8.count > JSONWriter.maximumStringBytes: countOversized()
        default:
            key(name)
            self.value(value, depth: depth)
        }
    }

    private mutating func value(_ value: ParameterValue, depth: Int) {
        guard depth <= JSONWriter.maximumDepth else {
            coercions += 1
            return null()
        }
        switch value {
        case .string(let text): string(text)
        case .int(let number): int(number)
        case .double(let number): double(number)
        case .bool(let flag): bool(flag)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element, depth: depth + 1) }
            endArray()
        case .object(let parameters):
            beginObject()
            for parameter in parameters { member(parameter.key.name, parameter.value, depth: depth + 1) }
            endObject()
        }
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func appendQuotationMark() {
        if isInString { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func quote(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            appendQuotationMark()
            JSONText.append(utf8, nested: isInString, to: &bytes)
            appendQuotationMark()
        }
    }

    private mutating func countOversized() {
        coercions += 1
        oversizedStrings += 1
    }
}
