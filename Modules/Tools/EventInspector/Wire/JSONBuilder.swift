import LoopbackCollector

/// A writer of JSON texts.
struct JSONBuilder {
    /// The text so far.
    private(set) var text = ""
    private var needsComma = false

    /// Writes an object, with a closure for its members.
    mutating func object(_ members: (inout JSONBuilder) -> Void) {
        open("{")
        members(&self)
        close("}")
    }

    /// Writes an array, with a closure for its elements.
    mutating func array(_ elements: (inout JSONBuilder) -> Void) {
        open("[")
        elements(&self)
        close("]")
    }

    /// Writes the name of a member.
    ///
    /// Write its value next.
    mutating func key(_ name: String) {
        string(name)
        text += ":"
        needsComma = false
    }

    /// Writes a member with a string.
    mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    /// Writes a member with a number.
    mutating func member(_ name: String, _ value: Int) {
        key(name)
        raw("\(value)")
    }

    /// Writes a string.
    mutating func string(_ value: String) {
        raw(JSONBuilder.quoted(value))
    }

    /// Writes a value given as JSON.
    mutating func raw(_ json: String) {
        if needsComma { text += "," }
        text += json
        needsComma = true
    }

    private mutating func open(_ sign: String) {
        raw(sign)
        needsComma = false
    }

    private mutating func close(_ sign: String) {
        text += sign
        needsComma = true
    }

    /// Returns a text as a JSON string.
    ///
    /// Characters that could end a script or a line of an event stream are escaped too.
    static func quoted(_ value: String) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        bytes.reserveCapacity(value.utf8.count + 2)
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case ..<0x20, UInt8(ascii: "<"):
                let digits = String(byte, radix: 16)
                bytes += Array("\\u00\(byte < 0x10 ? "0" : "")\(digits)".utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension CollectedValue {
    /// The value as JSON.
    ///
    /// The members of objects are ordered by name.
    var json: String {
        switch self {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): JSONBuilder.quoted(text)
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\(JSONBuilder.quoted($0.key)):\($0.value.json)" }
                .joined(separator: ",") + "}"
        }
    }
}
