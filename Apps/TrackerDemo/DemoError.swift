/// An error that ends the demo early, with one line for the user.
struct DemoError: Error, Equatable {
    /// The problem and, if helpful, how to fix it.
    let message: String
    /// The exit code of the process.
    let code: ExitCode

    /// Creates an error.
    ///
    /// Escapes control characters in the message to keep it on one line.
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

    /// Returns the text, cut to `length` characters with an ellipsis if it is longer.
    func shortened(to length: Int) -> String {
        count <= length ? self : prefix(max(0, length - 1)) + "…"
    }
}
