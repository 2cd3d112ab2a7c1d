public import CoreTracker

/// Writes JSON (RFC 8259) into bytes, without intermediate values.
///
/// Commas are set by the writer. A number that is not finite has no JSON: as a member of an object it is left out, in
/// a list it becomes `null`, and ``coercions`` counts it. Values nested deeper than ``maximumDepth`` become `null`
/// and are counted too. Invalid nesting is the caller's to avoid; it never traps.
public struct JSONWriter: Sendable {
    /// The deepest nesting that is written; what a receiver parses recursively must not exhaust its stack.
    public static let maximumDepth = 32

    /// What has been written so far.
    public private(set) var bytes: [UInt8] = []
    /// How many values were left out or replaced by `null`.
    public private(set) var coercions = 0
    private var needsComma = false

    /// Creates an empty writer.
    public init() {}

    /// Empties the writer and keeps its memory.
    public mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        coercions = 0
        needsComma = false
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

    /// Writes the key of an object's next member.
    public mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes text.
    public mutating func string(_ value: String) {
        separate()
        quote(value)
        needsComma = true
    }

    /// Writes a whole number.
    public mutating func int(_ value: some BinaryInteger) {
        separate()
        appendDigits(of: Int64(truncatingIfNeeded: value))
        needsComma = true
    }

    /// Writes a number; one that is not finite becomes `null` and is counted.
    public mutating func double(_ value: Double) {
        guard value.isFinite else {
            coercions += 1
            return null()
        }
        separate()
        bytes.append(contentsOf: value.description.utf8)
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
        bytes.append(UInt8(ascii: "\""))
        value.write(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes JSON that is already encoded, as one value.
    public mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    /// Writes a member of an object; a number that is not finite leaves the member out and is counted.
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

    private mutating func member(_ name: String, _ value: ParameterValue, depth: Int) {
        if case .double(let number) = value, !number.isFinite {
            coercions += 1
            return
        }
        key(name)
        self.value(value, depth: depth)
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

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            let needsEscape = utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
            if needsEscape {
                for byte in utf8 { appendEscaped(byte) }
            } else {
                bytes.append(contentsOf: utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
        case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
        case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
        case 0x00..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: #"\u00"#.utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 0xF)])
        default: bytes.append(byte)
        }
    }

    private mutating func appendDigits(of value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var magnitude = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10))
            magnitude /= 10
        } while magnitude > 0
        bytes[start...].reverse()
    }
}
