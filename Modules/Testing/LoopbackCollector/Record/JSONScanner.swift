/// A parser of JSON texts, which reads from start to end and throws if the text is not valid.
struct JSONScanner {
    /// An error about invalid JSON or too deep nesting.
    struct Malformed: Error {}

    private static let maximumDepth = 128
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    /// Creates a scanner for a text or a part of it.
    init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
        self.bytes = bytes
        let range = (range ?? bytes.indices).clamped(to: bytes.indices)
        position = range.lowerBound
        end = range.upperBound
    }

    /// Whether only white space is left.
    var isAtEnd: Bool {
        mutating get {
            skipBlanks()
            return position == end
        }
    }

    /// Reads the next value.
    mutating func value(depth: Int = 0) throws(Malformed) -> CollectedValue {
        guard depth < JSONScanner.maximumDepth else { throw Malformed() }
        switch try peek() {
        case UInt8(ascii: "{"):
            var members: [String: CollectedValue] = [:]
            try self.members { (scanner, key) throws(Malformed) in
                members[try scanner.text(in: key)] = try scanner.value(depth: depth + 1)
            }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [CollectedValue] = []
            try self.elements { (scanner) throws(Malformed) in
                elements.append(try scanner.value(depth: depth + 1))
            }
            return .array(elements)
        case UInt8(ascii: "\""): return .string(try text(in: try quoted()))
        default: return try literal()
        }
    }

    /// Skips the next value.
    ///
    /// - Returns: The range of the value.
    @discardableResult
    mutating func skip(depth: Int = 0) throws(Malformed) -> Range<Int> {
        guard depth < JSONScanner.maximumDepth else { throw Malformed() }
        let first = try peek()
        let start = position
        switch first {
        case UInt8(ascii: "{"):
            try members { (scanner, _) throws(Malformed) in try scanner.skip(depth: depth + 1) }
        case UInt8(ascii: "["):
            try elements { (scanner) throws(Malformed) in try scanner.skip(depth: depth + 1) }
        case UInt8(ascii: "\""): _ = try quoted()
        default: _ = try literal()
        }
        return start..<position
    }

    /// Reads an object.
    ///
    /// - Parameter read: A closure that gets the range of each key, without quotes, and must read the value.
    mutating func members(
        _ read: (inout JSONScanner, Range<Int>) throws(Malformed) -> Void
    ) throws(Malformed) {
        try expect(UInt8(ascii: "{"))
        if try peek() == UInt8(ascii: "}") { return position += 1 }
        while true {
            guard try peek() == UInt8(ascii: "\"") else { throw Malformed() }
            let key = try quoted()
            try expect(UInt8(ascii: ":"))
            try read(&self, key)
            guard try separator(closing: UInt8(ascii: "}")) else { return }
        }
    }

    /// Reads an array.
    ///
    /// - Parameter read: A closure that must read each element.
    mutating func elements(_ read: (inout JSONScanner) throws(Malformed) -> Void) throws(Malformed) {
        try expect(UInt8(ascii: "["))
        if try peek() == UInt8(ascii: "]") { return position += 1 }
        while true {
            try read(&self)
            guard try separator(closing: UInt8(ascii: "]")) else { return }
        }
    }

    /// Reads a value.
    ///
    /// - Parameter path: The keys that lead to a text in the value.
    /// - Returns: The text, or `nil` if there is none at the path.
    mutating func text(at path: ArraySlice<String>) throws(Malformed) -> String? {
        guard let name = path.first else {
            return try peek() == UInt8(ascii: "\"") ? try text(in: try quoted()) : try skipped()
        }
        // An array of attributes is decoded as a whole, because a key may follow its value.
        if try peek() == UInt8(ascii: "[") { return try value().value(at: path)?.string }
        guard try peek() == UInt8(ascii: "{") else { return try skipped() }
        var found: String?
        try members { (scanner, key) throws(Malformed) in
            if scanner.bytes[key].elementsEqual(name.utf8) {
                found = try scanner.text(at: path.dropFirst())
            } else {
                try scanner.skip()
            }
        }
        return found
    }

    /// Returns the text between two quotes, with its escape sequences decoded.
    func text(in range: Range<Int>) throws(Malformed) -> String {
        let slice = bytes[range]
        let text = String(decoding: slice, as: UTF8.self)
        guard text.utf8.elementsEqual(slice) else { throw Malformed() }
        return slice.contains(UInt8(ascii: "\\")) ? JSONScanner.unescaped(text[...]) : text
    }

    private mutating func skipped() throws(Malformed) -> String? {
        try skip()
        return nil
    }

    private mutating func skipBlanks() {
        while position < end {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func peek() throws(Malformed) -> UInt8 {
        skipBlanks()
        guard position < end else { throw Malformed() }
        return bytes[position]
    }

    private mutating func expect(_ byte: UInt8) throws(Malformed) {
        guard try peek() == byte else { throw Malformed() }
        position += 1
    }

    private mutating func separator(closing: UInt8) throws(Malformed) -> Bool {
        let byte = try peek()
        guard byte == closing || byte == UInt8(ascii: ",") else { throw Malformed() }
        position += 1
        return byte != closing
    }

    private mutating func quoted() throws(Malformed) -> Range<Int> {
        position += 1
        let start = position
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return start..<(position - 1)
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw Malformed()
            default: position += 1
            }
        }
        throw Malformed()
    }

    private mutating func escape() throws(Malformed) {
        let code = position + 1 < end ? bytes[position + 1] : 0
        guard #""\/bfnrtu"#.utf8.contains(code) else { throw Malformed() }
        position += 2
        guard code == UInt8(ascii: "u") else { return }
        guard position + 4 <= end, bytes[position..<position + 4].allSatisfy(JSONScanner.isHexDigit) else {
            throw Malformed()
        }
        position += 4
    }

    private mutating func literal() throws(Malformed) -> CollectedValue {
        let start = position
        while position < end, JSONScanner.isLiteralByte(bytes[position]) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        switch text {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: break
        }
        guard JSONScanner.isNumber(text.utf8) else { throw Malformed() }
        if let int = Int64(text) { return .int(int) }
        guard let double = Double(text), double.isFinite else { throw Malformed() }
        return .double(double)
    }

    private static func isLiteralByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "E"): true
        default: false
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    /// Returns whether a text is a number in RFC 8259 §6, which is stricter than Swift.
    private static func isNumber(_ text: String.UTF8View) -> Bool {
        var rest = text[...]
        func digits() -> Int {
            let run = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(run.count)
            return run.count
        }
        func skip(_ accepted: String) -> Bool {
            guard let byte = rest.first, accepted.utf8.contains(byte) else { return false }
            rest.removeFirst()
            return true
        }
        _ = skip("-")
        let hasLeadingZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, !hasLeadingZero || whole == 1 else { return false }
        if skip("."), digits() == 0 { return false }
        if skip("eE") {
            _ = skip("+-")
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func unescaped(_ text: Substring) -> String {
        var units: [UInt16] = []
        var rest = text.utf16
        while let unit = rest.popFirst() {
            guard unit == 0x5C, let escape = rest.popFirst() else {
                units.append(unit)
                continue
            }
            switch escape {
            case 0x62: units.append(0x08)
            case 0x66: units.append(0x0C)
            case 0x6E: units.append(0x0A)
            case 0x72: units.append(0x0D)
            case 0x74: units.append(0x09)
            case 0x75:
                let digits = String(decoding: rest.prefix(4), as: UTF16.self)
                units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
                rest = rest.dropFirst(4)
            default: units.append(escape)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }
}
