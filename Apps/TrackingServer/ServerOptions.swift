/// The command-line options of the example server.
struct ServerOptions: Sendable, Equatable {
    /// The error for an invalid command line.
    struct UsageError: Error, Equatable {
        let message: String
    }

    /// The text of `--help`.
    static let help = """
        An example of a server that tracks for many users: POST /views?user=U&product=P tracks an event of the user.
        The response has status 202, or 503 if the event buffer was full for the whole wait. GET /metrics has the state
        of the lane for Prometheus. SIGTERM and SIGINT end the server: it responds 503, delivers events until the
        deadline, leaves the others in the directory and exits with status 0.

          --directory DIR   the directory of this worker's events; without it, they are kept in memory
          --receiver URL    the ClickHouse server for the events; http://127.0.0.1:8123 by default
          --port N          the port on 127.0.0.1; a free one by default
          --capacity N      the maximum number of events that are not stored yet; 8192 by default
          --wait MS         the maximum wait for capacity in milliseconds; 1000 by default
          --deadline S      the maximum time from the signal to the exit in seconds; 20 by default
          --log             writes the outcome of each event to standard error as a line of JSON
          --help            prints this help

        The causes for which events wait or are lost are on standard error. EVENT_DELIVERY_LOG=debug adds each event and
        each request, EVENT_DELIVERY_LOG=off removes all of them.
        """

    var directory: String?
    var receiver = "http://127.0.0.1:8123"
    /// The port, or 0 for a free one.
    var port: UInt16 = 0
    var capacity = 8_192
    var wait: Duration = .seconds(1)
    var deadline: Duration = .seconds(20)
    /// Whether outcomes are written to standard error.
    var logsOutcomes = false
    /// Whether to print the help and nothing else.
    var showsHelp = false

    /// Parses the arguments after the program's name.
    init(_ words: [String]) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--directory": directory = try value(of: word, &rest)
            case "--receiver": receiver = try value(of: word, &rest)
            case "--port": port = UInt16(try number(of: word, in: 0...65_535, &rest))
            case "--capacity": capacity = try number(of: word, in: 1...1_000_000, &rest)
            case "--wait": wait = .milliseconds(try number(of: word, in: 0...60_000, &rest))
            case "--deadline": deadline = .seconds(try number(of: word, in: 1...3_600, &rest))
            case "--log": logsOutcomes = true
            case "--help", "-h": showsHelp = true
            default: throw UsageError(message: "no option \(word); --help lists them")
            }
        }
    }

    private func number(
        of option: String,
        in range: ClosedRange<Int>,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> Int {
        guard let number = Int(try value(of: option, &rest)), range.contains(number) else {
            throw UsageError(message: "\(option): a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
            throw UsageError(message: "\(option) needs a value")
        }
        return value
    }
}
