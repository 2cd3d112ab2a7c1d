package import CoreTracker

/// A reader for the JSON of parameters written by ``JSONWriter``.
///
/// It keeps their order and their kinds of numbers. It is not a general parser. It refuses escaped surrogate pairs,
/// which the writer never produces, and leaves out `null`, which the writer uses for unsupported values. It never traps
/// on malformed input.
package struct JSONReader {
    private struct Malformed: Error {}

    private var rest: ArraySlice<UInt8>

    /// Reads bytes that consist of one object.
    ///
    /// - Parameter bytes: The JSON.
    /// - Returns: The members, or `nil` if the bytes are not exactly one object.
    package static func object(in bytes: ArraySlice<UInt8>) -> EventParameters? {
        var reader = JSONReader(rest: bytes)
        guard case .object(let members) = try? reader.value(depth: 0), reader.rest.isEmpty else { return nil }
        return members
    }

    private mutating func value(depth: Int) throws(Malformed) -> ParameterValue? {
        guard depth <= JSONWriter.maximumDepth + 1, let byte = rest.first else { throw Malformed() }
        switch byte {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", nil)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(Malformed) -> EventParameters {
        var members = EventParameters()
        try elements(upTo: UInt8(ascii: "}")) { reader throws(Malformed) in
            let key = ParameterKey(try reader.string())
            try reader.consume(UInt8(ascii: ":"))
            members[key] = try reader.value(depth: depth + 1)
        }
        return members
    }

    private mutating func array(depth: Int) throws(Malformed) -> [ParameterValue] {
        var values: [ParameterValue] = []
        try elements(upTo: UInt8(ascii: "]")) { reader throws(Malformed) in
            if let value = try reader.value(depth: depth + 1) { values.append(value) }
        }
        return values
    }

    private mutating func elements(
        upTo end: UInt8,
        _ body: (inout JSONReader) throws(Malformed) -> Void
    ) throws(Malformed) {
        rest.removeFirst()
        if rest.first == end {
            rest.removeFirst()
            return
        }
        while true {
            try body(&self)
            let byte = rest.popFirst()
            if byte == end { return }
            guard byte == UInt8(ascii: ",") else { throw Malformed() }
        }
    }

    private mutating func string() throws(Malformed) -> String {
        try consume(UInt8(ascii: "\""))
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
            default: text.append(byte)
            }
        }
        throw Malformed()
    }

    private mutating func escape() throws(Malformed) -> [UInt8] {
        switch rest.popFirst() {
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "u"):
            let digits = String(decoding: rest.prefix(4), as: UTF8.self)
            rest = rest.dropFirst(4)
            let code = Int(digits, radix: 16).flatMap(UInt32.init(exactly:))
            guard let scalar = code.flatMap(Unicode.Scalar.init) else { throw Malformed() }
            return Array(String(Character(scalar)).utf8)
        case let byte? where #""\/"#.utf8.contains(byte): return [byte]
        default: throw Malformed()
        }
    }

    private mutating func number() throws(Malformed) -> ParameterValue {
        let digits = rest.prefix { "+-.0123456789eE".utf8.contains($0) }
        rest = rest.dropFirst(digits.count)
        let text = String(decoding: digits, as: UTF8.self)
        if let number = Int(text), text != "-0" { return .int(number) }
        guard let number = Double(text) else { throw Malformed() }
        return .double(number)
    }

    private mutating func word(_ word: String, _ value: ParameterValue?) throws(Malformed) -> ParameterValue? {
        guard rest.starts(with: word.utf8) else { throw Malformed() }
        rest = rest.dropFirst(word.utf8.count)
        return value
    }

    private mutating func consume(_ byte: UInt8) throws(Malformed) {
        guard rest.popFirst() == byte else { throw Malformed() }
    }
}
