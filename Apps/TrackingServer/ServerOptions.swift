import EventDelivery
import OptionParsing

/// The command-line options of the example server.
struct ServerOptions: ProgramOptions {
    static let program = "tracking-server"
    static let help = """
        An example of a server that tracks for many users: POST /views?user=U&session=S&product=P tracks an event of the
        user. The response has status 202, or 503 if the event buffer was full for the whole wait. GET /metrics has the
        state of the lane for Prometheus. GET /live always has status 200. GET /ready has status 503 and the reason while
        no event can be stored. SIGTERM and SIGINT end the server: it responds 503, delivers events until the deadline,
        leaves the others in the directory and exits with status 0. Without a usable directory, the others are lost, and
        the status is 1.

          --directory DIR   the directory of this worker's events; without it, they are kept in memory
          --receiver URL    the ClickHouse server for the events; http://127.0.0.1:8123 by default. http to another
                            machine is not encrypted: use it only in a network that encrypts by itself
          --host ADDRESS    the IP address to listen on, such as 0.0.0.0 or :: for all; 127.0.0.1 by default
          --port N          the port; a free one by default
          --capacity N      the maximum number of events that are not stored yet; 8192 by default
          --wait MS         the maximum wait for capacity in milliseconds; 1000 by default
          --deadline S      the maximum time from the signal to the end of the delivery in seconds, at least 2; 20 by
                            default
          --log             writes the outcome of each event to standard error, and all other lines there, as JSON
          --help            prints this help

        The causes for which events wait or are lost are on standard error. EVENT_DELIVERY_LOG=debug adds each event and
        each request, EVENT_DELIVERY_LOG=off removes all of them.
        """

    var directory: String?
    /// The address of the ClickHouse server, or `nil` for the usual one of this machine.
    var receiver: Endpoint?
    /// The address to listen on, or `nil` for 127.0.0.1.
    var host: String?
    /// The port, or 0 for a free one.
    var port: UInt16 = 0
    var capacity = 8_192
    var wait: Duration = .seconds(1)
    var deadline: Duration = .seconds(20)
    /// Whether outcomes are written to standard error.
    var logsOutcomes = false

    init(_ words: [String]) throws(UsageError) {
        var reader = OptionReader(words)
        while let word = try reader.next() {
            switch word {
            case "--directory": directory = try reader.value()
            case "--receiver": receiver = try endpoint(&reader)
            case "--host": host = try reader.value()
            case "--port": port = try reader.number(in: 0...UInt16.max)
            case "--capacity": capacity = try reader.number(in: 1...1_000_000)
            case "--wait": wait = .milliseconds(try reader.number(in: 0...60_000) as Int)
            case "--deadline": deadline = .seconds(try reader.number(in: 2...3_600) as Int)
            case "--log": logsOutcomes = true
            default: throw reader.unknown
            }
        }
    }

    private func endpoint(_ reader: inout OptionReader) throws(UsageError) -> Endpoint {
        try reader.value { text throws(ConfigurationError) in try Endpoint(unencrypted: text) }
    }
}
