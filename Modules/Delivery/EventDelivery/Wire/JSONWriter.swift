public import CoreTracker
public import EventTracking

/// A writer that produces the bytes of JSON (RFC 8259) without intermediate values.
///
/// The writer inserts commas. Unsupported values are counted: a non-finite number or a string beyond
/// ``maximumStringBytes`` is left out if it is a member of an object, and becomes `null` otherwise. Values nested
/// deeper than ``maximumDepth`` become `null`. The caller must nest calls correctly; the writer never traps.
///
/// ```swift
/// encoder.json.beginObject()
/// encoder.json.key("id")
/// encoder.json.id(event.id)
/// encoder.json.member("event", .string(event.name))
/// encoder.json.key("properties")
/// encoder.json.object(event.mergedParameters)
/// encoder.json.endObject()
/// ```
public struct JSONWriter: Sendable {
    /// The maximum nesting depth.
    ///
    /// It keeps recursive parsers of receivers from exhausting their stack.
    public static let maximumDepth = 32
    /// The maximum length of a string in bytes of UTF-8.
    public static let maximumStringBytes = 65_536
    /// The maximum memory kept by ``reset()``, in bytes.
    private static let keptCapacity = 1 << 20

    private var output = ByteBuffer()
    /// The number of values left out or replaced by `null`.
    package private(set) var coercions = 0
    /// The number of ``coercions`` for strings beyond ``maximumStringBytes``.
    package private(set) var oversizedStrings = 0
    private var needsComma = false
    private var isInString = false

    /// Creates an empty writer.
    package init() {}

    /// A copy of the bytes written so far.
    package var bytes: [UInt8] { output.bytes }

    /// The number of bytes written so far.
    package var byteCount: Int { output.count }

    /// Empties the writer.
    ///
    /// It keeps its memory, up to one megabyte.
    package mutating func reset() {
        output.removeAll(keeping: JSONWriter.keptCapacity)
        coercions = 0
        oversizedStrings = 0
        needsComma = false
        isInString = false
    }

    /// Starts an object, as a value.
    public mutating func beginObject() {
        write("{")
        needsComma = false
    }

    /// Ends an object.
    public mutating func endObject() {
        needsComma = false
        write("}")
        needsComma = true
    }

    /// Starts a list, as a value.
    public mutating func beginArray() {
        write("[")
        needsComma = false
    }

    /// Ends a list.
    public mutating func endArray() {
        needsComma = false
        write("]")
        needsComma = true
    }

    /// Starts a string that contains JSON.
    ///
    /// Everything up to ``endString()`` is escaped. Such a string cannot contain another one.
    package mutating func beginString() {
        write("\"")
        needsComma = false
        isInString = true
    }

    /// Ends a string that contains JSON.
    package mutating func endString() {
        isInString = false
        needsComma = false
        write("\"")
        needsComma = true
    }

    /// Writes the key of the next member.
    ///
    /// - Parameter name: The key, which is escaped if necessary.
    public mutating func key(_ name: String) {
        quote(name, isKey: true)
    }

    /// Writes a key from source code.
    ///
    /// - Parameter name: The key, which must not need an escape.
    package mutating func key(fixed name: StaticString) {
        name.withUTF8Buffer { quoteVerbatim($0, isKey: true) }
    }

    /// Writes a string.
    ///
    /// - Parameter value: The string. Beyond ``maximumStringBytes`` it becomes `null` and is counted.
    public mutating func string(_ value: String) {
        guard value.utf8.count <= JSONWriter.maximumStringBytes else {
            countOversized()
            return null()
        }
        quote(value, isKey: false)
    }

    /// Writes an integer.
    ///
    /// - Parameter value: The integer.
    public mutating func int(_ value: Int) {
        int(Int64(value))
    }

    /// Writes a 64-bit integer.
    ///
    /// - Parameter value: The integer.
    public mutating func int(_ value: Int64) {
        write(upTo: 20) { JSONText.write(value, at: &$0) }
    }

    /// Writes an unsigned 64-bit integer.
    ///
    /// - Parameter value: The integer.
    public mutating func int(_ value: UInt64) {
        write(upTo: 20) { JSONText.write(value, at: &$0) }
    }

    /// Writes a number.
    ///
    /// - Parameter value: The number. If it is not finite, it becomes `null` and is counted.
    public mutating func double(_ value: Double) {
        guard value.isFinite else {
            coercions += 1
            return null()
        }
        var text = value.description
        text.withUTF8 { utf8 in write(upTo: utf8.count) { $0.write(utf8) } }
    }

    /// Writes `true` or `false`.
    ///
    /// - Parameter value: The value.
    public mutating func bool(_ value: Bool) {
        write(value ? "true" : "false")
        needsComma = true
    }

    /// Writes `null`.
    public mutating func null() {
        write("null")
        needsComma = true
    }

    /// Writes an event id as a string.
    ///
    /// - Parameter value: The id.
    public mutating func id(_ value: EventID) {
        let isInString = isInString
        write(upTo: 40) {
            JSONWriter.writeQuote(nested: isInString, at: &$0)
            value.write(at: &$0)
            JSONWriter.writeQuote(nested: isInString, at: &$0)
        }
    }

    /// Writes encoded JSON as one value.
    ///
    /// - Parameter json: The bytes of a complete value. They are not checked.
    public mutating func raw(_ json: some Sequence<UInt8>) {
        write("")
        ContiguousArray(json).withUnsafeBufferPointer { json in
            if isInString { JSONText.append(json, nested: false, to: &output) } else { output.append(json) }
        }
        needsComma = true
    }

    /// Writes a member of an object.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - value: The value. If JSON does not support it, the member is left out and counted.
    public mutating func member(_ name: String, _ value: ParameterValue) {
        member(name, value, depth: 1)
    }

    /// Writes the value of a parameter.
    ///
    /// - Parameter value: The value. If JSON does not support it, it becomes `null` and is counted.
    public mutating func value(_ value: ParameterValue) {
        self.value(value, depth: 1)
    }

    /// Writes parameters as an object.
    ///
    /// - Parameter parameters: The members, in order. Unsupported values are left out and counted.
    public mutating func object(_ parameters: EventParameters) {
        value(.object(parameters), depth: 1)
    }

    /// Writes members whose value is `null`, which remove traits.
    ///
    /// - Parameter names: The names of the members.
    public mutating func nulls(_ names: [ParameterKey]) {
        for name in names {
            key(name.name)
            null()
        }
    }
}

extension JSONWriter {
    /// Passes the bytes written so far to a closure without copying them.
    ///
    /// - Parameter body: Receives the bytes, which are valid only during the call.
    /// - Returns: The closure's result.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        output.withBytes(body)
    }

    /// A position in the output.
    package struct Mark: Sendable {
        fileprivate let count: Int
        fileprivate let needsComma: Bool
    }

    /// Writes a member with a key from source code, which must not need an escape.
    package mutating func member(fixed name: StaticString, _ value: String) {
        key(fixed: name)
        string(value)
    }

    /// Writes a key that needs no escape, for example because it has only letters, digits and `_`.
    package mutating func key(verbatim name: String) {
        var name = name
        name.withUTF8 { quoteVerbatim($0, isKey: true) }
    }

    /// Writes a string that needs no escape.
    package mutating func verbatim(_ text: String) {
        var text = text
        text.withUTF8 { quoteVerbatim($0, isKey: false) }
    }

    /// The current position, to which ``rewind(to:)`` can return.
    package var mark: Mark { Mark(count: output.count, needsComma: needsComma) }

    /// Removes everything written since a position.
    ///
    /// ``coercions`` keeps its count.
    package mutating func rewind(to mark: Mark) {
        output.removeAll(from: mark.count)
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

    /// Writes punctuation or a literal, after a comma if one is needed.
    private mutating func write(_ text: StaticString) {
        let needsComma = needsComma
        output.write(upTo: 16) {
            if needsComma { $0.write(UInt8(ascii: ",")) }
            $0.write(text)
        }
    }

    /// Writes a value of at most `maximum` bytes, after a comma if one is needed.
    @inline(__always)
    private mutating func write(upTo maximum: Int, _ body: (inout UnsafeMutablePointer<UInt8>) -> Void) {
        let needsComma = needsComma
        output.write(upTo: maximum + 1) {
            if needsComma { $0.write(UInt8(ascii: ",")) }
            body(&$0)
        }
        self.needsComma = true
    }

    private mutating func quote(_ text: String, isKey: Bool) {
        var text = text
        text.withUTF8 { utf8 in
            guard utf8.count <= 256 else { return quoteLong(utf8, isKey: isKey) }
            let isInString = isInString
            write(upTo: JSONText.room(for: utf8.count) + 8) {
                JSONWriter.writeQuote(nested: isInString, at: &$0)
                JSONText.write(utf8, nested: isInString, at: &$0)
                JSONWriter.writeQuote(nested: isInString, at: &$0)
                if isKey { $0.write(UInt8(ascii: ":")) }
            }
        }
        needsComma = !isKey
    }

    /// Writes a string in pieces, since escaping may make it seven times as long.
    private mutating func quoteLong(_ utf8: UnsafeBufferPointer<UInt8>, isKey: Bool) {
        let isInString = isInString
        write(upTo: 2) { JSONWriter.writeQuote(nested: isInString, at: &$0) }
        JSONText.append(utf8, nested: isInString, to: &output)
        output.write(upTo: 3) {
            JSONWriter.writeQuote(nested: isInString, at: &$0)
            if isKey { $0.write(UInt8(ascii: ":")) }
        }
    }

    private mutating func quoteVerbatim(_ utf8: UnsafeBufferPointer<UInt8>, isKey: Bool) {
        let isInString = isInString
        write(upTo: utf8.count + 5) {
            JSONWriter.writeQuote(nested: isInString, at: &$0)
            $0.write(utf8)
            JSONWriter.writeQuote(nested: isInString, at: &$0)
            if isKey { $0.write(UInt8(ascii: ":")) }
        }
        needsComma = !isKey
    }

    @inline(__always)
    private static func writeQuote(nested: Bool, at end: inout UnsafeMutablePointer<UInt8>) {
        if nested { end.write(UInt8(ascii: "\\")) }
        end.write(UInt8(ascii: "\""))
    }

    private mutating func countOversized() {
        coercions += 1
        oversizedStrings += 1
    }
}
