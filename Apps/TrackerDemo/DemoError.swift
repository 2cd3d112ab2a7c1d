/// Why the demo ends before its work is done, in one line for the user.
struct DemoError: Error, Equatable {
    /// What is wrong, and where it helps, what to do.
    let message: String
    /// How the process ends.
    let code: ExitCode

    /// Creates an error; control characters of what the user gave are escaped, so that it stays one line.
    init(_ message: String, code: ExitCode) {
        self.message = message.printable
        self.code = code
    }
}

extension String {
    /// The text with its control characters escaped.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            text += scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return text
    }

    /// At most so many characters of the text, with a sign where it was cut.
    func shortened(to length: Int) -> String {
        count <= length ? self : prefix(max(0, length - 1)) + "…"
    }
}
