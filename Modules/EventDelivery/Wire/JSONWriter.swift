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

    private var output = ByteBuffer()
    /// How many values were left out or replaced by `null`.
    public private(set) var coercions = 0
    /// How many of the ``coercions`` were texts beyond ``maximumStringBytes``.
    public private(set) var oversizedStrings = 0
    private var needsComma = false
    private var isInString = false

    /// Creates an empty writer.
    public init() {}

    /// What has been written so far; a copy.
    public var bytes: [UInt8] { output.bytes }

    /// How many bytes have been written so far.
    public var byteCount: Int { output.count }

    /// Empties the writer and keeps its memory, up to one megabyte.
    public mutating func reset() {
        output.removeAll(keeping: JSONWriter.keptCapacity)
        coercions = 0
        oversizedStrings = 0
        needsComma = false
        isInString = false
    }

    /// Starts an object, as a value.
    public mutating func beginObject() {
        put("{")
        needsComma = false
    }

    /// Ends an object.
    public mutating func endObject() {
        needsComma = false
        put("}")
        needsComma = true
    }

    /// Starts a list, as a value.
    public mutating func beginArray() {
        put("[")
        needsComma = false
    }

    /// Ends a list.
    public mutating func endArray() {
        needsComma = false
        put("]")
        needsComma = true
    }

    /// Starts a string that holds JSON: all that is written until ``endString()`` is escaped on its way.
    ///
    /// There is one level of this: such a string cannot hold another.
    public mutating func beginString() {
        put("\"")
        needsComma = false
        isInString = true
    }

    /// Ends a string that holds JSON.
    public mutating func endString() {
        isInString = false
        needsComma = false
        put("\"")
        needsComma = true
    }

    /// Writes the key of an object's next member.
    public mutating func key(_ name: String) {
        quote(name, isKey: true)
    }

    /// Writes a key from the program's own source; nothing in it may need an escape.
    public mutating func key(fixed name: StaticString) {
        name.withUTF8Buffer { quoteVerbatim($0, isKey: true) }
    }

    /// Writes text; one beyond ``maximumStringBytes`` becomes `null` and is counted.
    public mutating func string(_ value: String) {
        guard value.utf8.count <= JSONWriter.maximumStringBytes else {
            countOversized()
            return null()
        }
        quote(value, isKey: false)
    }

    /// Writes a whole number.
    public mutating func int(_ value: Int) {
        int(Int64(value))
    }

    /// Writes a whole number of 64 bits.
    public mutating func int(_ value: Int64) {
        write(upTo: 20) { JSONText.put(value, at: &$0) }
    }

    /// Writes a whole number of 64 bits that is not negative.
    public mutating func int(_ value: UInt64) {
        write(upTo: 20) { JSONText.put(value, at: &$0) }
    }

    /// Writes a number; one that is not finite becomes `null` and is counted.
    public mutating func double(_ value: Double) {
        guard value.isFinite else {
            coercions += 1
            return null()
        }
        var text = value.description
        text.withUTF8 { utf8 in write(upTo: utf8.count) { $0.put(utf8) } }
    }

    /// Writes a truth value.
    public mutating func bool(_ value: Bool) {
        put(value ? "true" : "false")
        needsComma = true
    }

    /// Writes `null`.
    public mutating func null() {
        put("null")
        needsComma = true
    }

    /// Writes an event id as text.
    public mutating func id(_ value: EventID) {
        let isInString = isInString
        write(upTo: 40) {
            JSONWriter.putMark(nested: isInString, at: &$0)
            value.put(at: &$0)
            JSONWriter.putMark(nested: isInString, at: &$0)
        }
    }

    /// Writes JSON that is already encoded, as one value.
    public mutating func raw(_ json: some Sequence<UInt8>) {
        put("")
        ContiguousArray(json).withUnsafeBufferPointer { json in
            if isInString { JSONText.append(json, nested: false, to: &output) } else { output.append(json) }
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
    public mutating func object(_ parameters: EventParameters) {
        value(.object(parameters), depth: 1)
    }
}

extension JSONWriter {
    /// Gives what has been written to a body without copying it.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        output.withBytes(body)
    }

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
        var name = name
        name.withUTF8 { quoteVerbatim($0, isKey: true) }
    }

    /// Writes text that is known to need no escape.
    package mutating func verbatim(_ text: String) {
        var text = text
        text.withUTF8 { quoteVerbatim($0, isKey: false) }
    }

    /// The place that has been reached, to return to when what follows turns out to be nothing.
    package var mark: Mark { Mark(count: output.count, needsComma: needsComma) }

    /// Takes back what has been written since a mark; what was counted stays counted.
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

    /// Writes punctuation, or a word of JSON's own, after the comma that is due.
    private mutating func put(_ text: StaticString) {
        let needsComma = needsComma
        output.write(upTo: 16) {
            if needsComma { $0.put(UInt8(ascii: ",")) }
            $0.put(text)
        }
    }

    /// Writes a value of at most so many bytes after the comma that is due.
    @inline(__always)
    private mutating func write(upTo most: Int, _ body: (inout UnsafeMutablePointer<UInt8>) -> Void) {
        let needsComma = needsComma
        output.write(upTo: most + 1) {
            if needsComma { $0.put(UInt8(ascii: ",")) }
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
                JSONWriter.putMark(nested: isInString, at: &$0)
                JSONText.put(utf8, nested: isInString, at: &$0)
                JSONWriter.putMark(nested: isInString, at: &$0)
                if isKey { $0.put(UInt8(ascii: ":")) }
            }
        }
        needsComma = !isKey
    }

    /// Writes a text piece by piece, since escaping may make it seven times as long.
    private mutating func quoteLong(_ utf8: UnsafeBufferPointer<UInt8>, isKey: Bool) {
        let isInString = isInString
        write(upTo: 2) { JSONWriter.putMark(nested: isInString, at: &$0) }
        JSONText.append(utf8, nested: isInString, to: &output)
        output.write(upTo: 3) {
            JSONWriter.putMark(nested: isInString, at: &$0)
            if isKey { $0.put(UInt8(ascii: ":")) }
        }
    }

    private mutating func quoteVerbatim(_ utf8: UnsafeBufferPointer<UInt8>, isKey: Bool) {
        let isInString = isInString
        write(upTo: utf8.count + 5) {
            JSONWriter.putMark(nested: isInString, at: &$0)
            $0.put(utf8)
            JSONWriter.putMark(nested: isInString, at: &$0)
            if isKey { $0.put(UInt8(ascii: ":")) }
        }
        needsComma = !isKey
    }

    @inline(__always)
    private static func putMark(nested: Bool, at end: inout UnsafeMutablePointer<UInt8>) {
        if nested { end.put(UInt8(ascii: "\\")) }
        end.put(UInt8(ascii: "\""))
    }

    private mutating func countOversized() {
        coercions += 1
        oversizedStrings += 1
    }
}

/// Bytes that are appended to in small pieces, each written straight into memory.
///
/// An array asks at each append whether its memory is its own and has room; here a piece asks once, however many parts
/// it has.
struct ByteBuffer: Sendable {
    /// As long as the memory is; what stands behind ``count`` means nothing.
    private var storage: [UInt8] = []
    /// How many bytes there are.
    private(set) var count = 0

    /// Creates an empty buffer.
    init() {}

    /// The bytes, as an array of their own.
    var bytes: [UInt8] { Array(storage.prefix(count)) }

    /// Appends what a body writes from a pointer on, moving the pointer behind it: `most` bytes or fewer.
    @inline(__always)
    mutating func write(upTo most: Int, _ body: (inout UnsafeMutablePointer<UInt8>) -> Void) {
        if storage.count - count < most { grow(by: most) }
        let start = count
        count = storage.withUnsafeMutableBufferPointer { memory in
            guard let address = memory.baseAddress else { return start }
            var end = address + start
            body(&end)
            return end - address
        }
    }

    /// Appends bytes.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        write(upTo: bytes.count) { $0.put(bytes) }
    }

    /// Gives the bytes to a body without copying them.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        storage.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<count])) }
    }

    /// Takes the bytes from a place on away.
    mutating func removeAll(from place: Int) {
        count = max(0, min(count, place))
    }

    /// Empties the buffer; it keeps its memory up to so many bytes.
    mutating func removeAll(keeping most: Int) {
        count = 0
        if storage.count > most { storage = [] }
    }

    private mutating func grow(by most: Int) {
        let wanted = max(count + most, 2 * storage.count, 512)
        storage.append(contentsOf: repeatElement(0, count: wanted - storage.count))
    }
}
