import LoopbackCollector

/// JSON that is written from front to back.
struct JSONText {
    /// The text so far.
    private(set) var text = ""
    private var needsComma = false

    /// Writes an object whose members a closure writes.
    mutating func object(_ members: (inout JSONText) -> Void) {
        open("{")
        members(&self)
        close("}")
    }

    /// Writes a list whose elements a closure writes.
    mutating func array(_ elements: (inout JSONText) -> Void) {
        open("[")
        elements(&self)
        close("]")
    }

    /// Writes a member's name; its value comes next.
    mutating func key(_ name: String) {
        string(name)
        text += ":"
        needsComma = false
    }

    /// Writes a member that is text.
    mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    /// Writes a member that is a number.
    mutating func member(_ name: String, _ value: Int) {
        key(name)
        raw("\(value)")
    }

    /// Writes text.
    mutating func string(_ value: String) {
        raw(JSONText.quoted(value))
    }

    /// Writes a value that is JSON already.
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

    /// A text as a JSON string; what could end a script or a line of an event stream is escaped too.
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
    /// The value as JSON; the members of objects are in the order of their names.
    var json: String {
        switch self {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): JSONText.quoted(text)
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\(JSONText.quoted($0.key)):\($0.value.json)" }
                .joined(separator: ",") + "}"
        }
    }
}
