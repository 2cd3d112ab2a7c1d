/// A JSON value of an untrusted text, as it is written.
///
/// The reader accepts the whole of RFC 8259 and nothing else. It refuses an object that repeats a key, because two
/// readers may choose different values. It never traps, and its time and memory are proportional to the text.
enum JSONTree: Sendable {
    case null
    case bool(Bool)
    case int(Int)
    /// A number with a fraction or an exponent, or beyond the range of `Int`.
    ///
    /// It is infinite beyond the range of `Double`.
    case double(Double)
    case string(String)
    case array([JSONTree])
    case object([(key: String, value: JSONTree)])

    /// The reason for not reading a text.
    enum Fault: Error {
        case malformed
        case tooDeep
    }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8.
    ///   - depth: The maximum number of levels of lists and objects.
    init(_ text: [UInt8], depth: Int) throws(Fault) {
        var reader = Reader(bytes: text, depth: depth)
        self = try reader.value()
        guard reader.isAtEnd else { throw .malformed }
    }
}

extension JSONTree {
    private struct Reader {
        let bytes: [UInt8]
        /// The number of levels that may still begin.
        var depth: Int
        private var index = 0

        init(bytes: [UInt8], depth: Int) {
            (self.bytes, self.depth) = (bytes, depth)
        }

        private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

        /// Whether only white space is left.
        var isAtEnd: Bool {
            mutating get {
                skipSpace()
                return next == nil
            }
        }

        mutating func value() throws(Fault) -> JSONTree {
            skipSpace()
            switch next {
            case UInt8(ascii: "{"): return .object(try object())
            case UInt8(ascii: "["): return .array(try array())
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "t"): return try word("true", .bool(true))
            case UInt8(ascii: "f"): return try word("false", .bool(false))
            case UInt8(ascii: "n"): return try word("null", .null)
            default: return try number()
            }
        }

        private mutating func object() throws(Fault) -> [(key: String, value: JSONTree)] {
            var members: [(key: String, value: JSONTree)] = []
            var keys: Set<String> = []
            try elements(upTo: "}") { reader throws(Fault) in
                reader.skipSpace()
                let key = try reader.string()
                guard keys.insert(key).inserted else { throw .malformed }
                reader.skipSpace()
                try reader.expect(":")
                members.append((key, try reader.value()))
            }
            return members
        }

        private mutating func array() throws(Fault) -> [JSONTree] {
            var values: [JSONTree] = []
            try elements(upTo: "]") { reader throws(Fault) in values.append(try reader.value()) }
            return values
        }

        private mutating func elements(
            upTo end: Unicode.Scalar,
            _ element: (inout Reader) throws(Fault) -> Void
        ) throws(Fault) {
            guard depth > 0 else { throw .tooDeep }
            depth -= 1
            defer { depth += 1 }
            index += 1
            skipSpace()
            if skip(end) { return }
            while true {
                try element(&self)
                skipSpace()
                if skip(end) { return }
                try expect(",")
            }
        }

        private mutating func string() throws(Fault) -> String {
            try expect("\"")
            var text: [UInt8] = []
            while let byte = next {
                index += 1
                switch byte {
                case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
                case UInt8(ascii: "\\"): text += String(Character(try escape())).utf8
                case ..<0x20: throw .malformed
                default: text.append(byte)
                }
            }
            throw .malformed
        }

        /// Reads the rest of an escape.
        ///
        /// Half of a surrogate pair is replaced by U+FFFD, as browsers do. A page sends one if it cuts a text inside an
        /// emoji.
        private mutating func escape() throws(Fault) -> Unicode.Scalar {
            guard let byte = next else { throw .malformed }
            index += 1
            switch byte {
            case UInt8(ascii: "b"): return "\u{8}"
            case UInt8(ascii: "t"): return "\t"
            case UInt8(ascii: "n"): return "\n"
            case UInt8(ascii: "f"): return "\u{C}"
            case UInt8(ascii: "r"): return "\r"
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
            case UInt8(ascii: "u"): break
            default: throw .malformed
            }
            let unit = try hexadecimal()
            guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
            let end = index
            if skip("\\"), skip("u") {
                let low = try hexadecimal()
                let scalar = (0xDC00..<0xE000).contains(low) ? 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00) : nil
                if let scalar, let scalar = Unicode.Scalar(scalar) { return scalar }
            }
            index = end
            return "\u{FFFD}"
        }

        private mutating func hexadecimal() throws(Fault) -> UInt32 {
            var unit: UInt32 = 0
            for _ in 0..<4 {
                guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                    throw .malformed
                }
                index += 1
                unit = unit << 4 + UInt32(digit)
            }
            return unit
        }

        private mutating func number() throws(Fault) -> JSONTree {
            let start = index
            _ = skip("-")
            if !skip("0") { try digits() }
            var isWhole = true
            if skip(".") {
                isWhole = false
                try digits()
            }
            if skip("e") || skip("E") {
                isWhole = false
                _ = skip("+") || skip("-")
                try digits()
            }
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            if isWhole, text != "-0", let number = Int(text) { return .int(number) }
            return .double(Double(text) ?? .infinity)
        }

        private mutating func digits() throws(Fault) {
            let start = index
            while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
            guard index > start else { throw .malformed }
        }

        private mutating func word(_ word: String, _ value: JSONTree) throws(Fault) -> JSONTree {
            for scalar in word.unicodeScalars { try expect(scalar) }
            return value
        }

        private mutating func skipSpace() {
            while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
        }

        /// Passes an ASCII character if it is the next one.
        private mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard let next, UInt32(next) == character.value else { return false }
            index += 1
            return true
        }

        private mutating func expect(_ character: Unicode.Scalar) throws(Fault) {
            guard skip(character) else { throw .malformed }
        }
    }
}
