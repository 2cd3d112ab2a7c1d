import OptionParsing

/// The command-line options of `Scripts/inspect`.
struct InspectorOptions: ProgramOptions {
    static let program = "inspect"
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

    init(_ words: [String]) throws(UsageError) {
        var reader = OptionReader(words)
        while let word = try reader.next() {
            switch word {
            case "--port": port = try reader.number(in: 0...UInt16.max)
            case "--plan": plan = try reader.value()
            case "--network": network = try reader.value()
            default: throw reader.unknown
            }
        }
        if let network, network == "0.0.0.0" || network == "::" {
            throw UsageError("--network: name the one address at which a phone reaches this machine, not \(network)")
        }
    }
}
