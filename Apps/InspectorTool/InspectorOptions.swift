/// The command-line options of `Scripts/inspect`.
struct InspectorOptions: Sendable, Equatable {
    /// The error for an invalid command line.
    struct UsageError: Error, Equatable {
        let message: String
    }

    /// The text of `--help`.
    static let help = """
        In a debug build, the app reports its events with one line of InspectorClient before it opens the engine:
          configuration = try configuration.inspected(at: link)
        The tool prints the link when it starts. The link is different each time.

          --port N           listens on this port instead of a free one
          --plan DIR         the folder of a tracking plan, as an app's plan tool writes it
          --network ADDRESS  listens on this address of this machine, such as 192.168.1.20, instead of 127.0.0.1, so
                             that a phone on the same network can report. The reports are not encrypted, and anyone who
                             has the link can read them
          --help             prints this help
        """

    /// The port, or 0 for a free one.
    var port: UInt16 = 0
    /// The folder of the tracking plan, if any.
    var plan: String?
    /// The address of this machine in its local network, or `nil` for the loopback address.
    var network: String?
    /// Whether to print the help and nothing else.
    var showsHelp = false

    /// Parses the arguments after the program's name.
    init(_ words: [String]) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--port":
                guard let port = UInt16(try value(of: word, &rest)) else {
                    throw UsageError(message: "--port: a number from 0 to 65535")
                }
                self.port = port
            case "--plan": plan = try value(of: word, &rest)
            case "--network": network = try value(of: word, &rest)
            case "--help", "-h": showsHelp = true
            default: throw UsageError(message: "unknown option \(word); see --help")
            }
        }
    }

    private func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
            throw UsageError(message: "\(option) needs a value")
        }
        return value
    }
}
