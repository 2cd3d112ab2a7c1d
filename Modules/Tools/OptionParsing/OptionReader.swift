/// A reader of a command line, word by word.
///
/// The value of an option is the next word, unless that is an option too, or it is attached with an equals sign, as in
/// `--port=8123`.
///
/// ```swift
/// var reader = OptionReader(words)
/// while let word = try reader.next() {
///     switch word {
///     case "--port": port = try reader.number(in: 0...UInt16.max)
///     case "--plan": plan = try reader.value()
///     case "--network": network = try reader.value()
///     default: throw reader.unknown
///     }
/// }
/// ```
package struct OptionReader {
    /// The current word: the name of an option, without an attached value, or another argument.
    package private(set) var word = ""
    private var attached: String?
    private var rest: ArraySlice<String>

    /// Creates a reader before the first of the words.
    package init(_ words: [String]) {
        rest = words[...]
    }

    /// Moves to the next word.
    ///
    /// - Returns: The word, or `nil` at the end.
    /// - Throws: An error if the value attached to the current option was not read.
    package mutating func next() throws(UsageError) -> String? {
        guard attached == nil else { throw UsageError("\(word) takes no value") }
        guard let next = rest.popFirst() else { return nil }
        let parts = OptionReader.isOption(next) ? next.split(separator: "=", maxSplits: 1) : []
        word = parts.first.map(String.init) ?? next
        attached = word == next ? nil : String(next.dropFirst(word.count + 1))
        return word
    }

    /// Whether the current word is an option, which begins with a hyphen.
    package var isOption: Bool { OptionReader.isOption(word) }

    private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

    /// Returns the value attached to the current option, if any.
    package mutating func attachedValue() -> String? {
        defer { attached = nil }
        return attached
    }

    /// Returns the value of the current option, if it has one.
    package mutating func optionalValue() -> String? {
        attachedValue() ?? (rest.first.map(OptionReader.isOption) == false ? rest.popFirst() : nil)
    }

    /// Returns the value of the current option.
    ///
    /// If the option takes several values, call it once for each.
    ///
    /// - Throws: An error if it has none, or if the value is empty.
    package mutating func value() throws(UsageError) -> String {
        guard let value = optionalValue(), !value.isEmpty else { throw UsageError("\(word) needs a value") }
        return value
    }

    /// Returns the value of the current option, converted by a function.
    ///
    /// - Parameter convert: The function. Its error becomes the message.
    /// - Throws: An error if the option has no value, or if the function throws one.
    package mutating func value<Value, Failure: Error>(
        by convert: (String) throws(Failure) -> Value
    ) throws(UsageError) -> Value {
        let text = try value()
        do throws(Failure) {
            return try convert(text)
        } catch {
            throw UsageError("\(word): \(error)")
        }
    }

    /// Returns the value of the current option as a number.
    ///
    /// - Throws: An error if the value is not a number in the range.
    package mutating func number<Number: Comparable & LosslessStringConvertible>(
        in range: ClosedRange<Number>
    ) throws(UsageError) -> Number {
        guard let number = Number(try value()), range.contains(number) else {
            throw UsageError("\(word): a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns the value of the current option as one of several.
    ///
    /// - Parameter choices: The values by their texts.
    /// - Throws: An error if the text is none of these.
    package mutating func choice<Value>(of choices: KeyValuePairs<String, Value>) throws(UsageError) -> Value {
        let text = try value()
        guard let choice = choices.first(where: { $0.key == text }) else {
            throw UsageError("\(word): \(choices.map(\.key).joined(separator: " or ")), not '\(text)'")
        }
        return choice.value
    }

    /// The error for a current word that the program does not know.
    package var unknown: UsageError {
        UsageError(isOption ? "unknown option \(word); see --help" : "unexpected argument '\(word)'; see --help")
    }
}

/// The error for an invalid command line, in one line.
package struct UsageError: Error, Equatable {
    /// The problem, with control characters escaped.
    package let message: String

    /// Creates an error.
    package init(_ message: String) {
        self.message = message.unicodeScalars.reduce(into: "") { text, scalar in
            let isControl = scalar.properties.generalCategory == .control
            text += isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }
}
