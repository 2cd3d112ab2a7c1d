import Analytics
import AwesomeTracking
import CoreTracker
import EventDelivery
import SuperApp

/// The demo's command-line arguments.
struct Arguments: Sendable, Equatable {
    /// The clickstream to replay, or `nil` for the scripted journey.
    var replay: String?
    /// The receiver of AwesomeTracking's events, or `nil` for the demo's collector.
    var awesomeEndpoint: Endpoint?
    /// The wire format of AwesomeTracking.
    var awesomeFormat = AwesomeReceiver.Format.ndjson
    /// The user name for AwesomeTracking's receiver, if any.
    var awesomeUser: String?
    /// The supported features of AwesomeTracking's receiver.
    var awesomeServer = ClickHouseConfiguration.Server.portable
    /// The PEM file of trusted certificate authorities, or `nil` for the system's.
    var authorities: String?
    /// The receiver of Firebase's events, or `nil` for the demo's collector.
    var firebaseEndpoint: Endpoint?
    /// Whether Firebase's events go to a stand-in for its SDK instead.
    var usesFirebaseSDK = false
    /// Whether the receivers are down.
    var isOffline = false
    /// The directory of the outbox, or `nil` for a temporary one.
    var queue: String?
    /// Whether the result is one line of JSON.
    var printsJSON = false
    /// The enabled vendors in the playback journey.
    var vendors = Vendors.enabledByDefault
    private var switchesVendors = false
    /// The spelling of step names for Google Analytics.
    var stepNames = GoogleEvent.NameStyle.asWritten
    /// The options of the game, which replaces the shopping journey.
    var game = GameOptions()
    /// The options of the live inspector.
    var inspection = InspectionOptions()
    /// Whether to only print the help.
    var showsHelp = false

    /// Parses the command line without the program's name.
    init(_ words: [String]) throws(DemoError) {
        var rest = words[...]
        while let word = rest.popFirst() { try parse(word, rest: &rest) }
        guard !showsHelp else { return }
        if isOffline, awesomeEndpoint != nil || firebaseEndpoint != nil {
            throw .usage("--offline and an endpoint exclude each other: offline, all receivers are down")
        }
        if usesFirebaseSDK, firebaseEndpoint != nil {
            throw .usage("--firebase-sdk and --firebase-endpoint exclude each other: an SDK has no endpoint")
        }
        if switchesVendors, replay != nil {
            throw .usage("--enable and --disable apply to the vendors of the journey, and a replay has none")
        }
        if awesomeUser != nil, awesomeEndpoint == nil || awesomeFormat == .otlp {
            throw .usage("--awesome-user is for --awesome-endpoint with ClickHouse only")
        }
        try checkGame()
        try checkInspection()
    }

    private mutating func parse(_ word: String, rest: inout ArraySlice<String>) throws(DemoError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts.first ?? ""
        let attached = parts.count > 1 && name.hasPrefix("--") ? parts[1] : nil
        switch name {
        case "--replay": replay = try value(of: name, attached, &rest)
        case "--queue": queue = try value(of: name, attached, &rest)
        case "--awesome-endpoint": awesomeEndpoint = try endpoint(name, value(of: name, attached, &rest))
        case "--awesome-format": awesomeFormat = try format(name, value(of: name, attached, &rest))
        case "--awesome-user": awesomeUser = try value(of: name, attached, &rest)
        case "--awesome-server": awesomeServer = try server(name, value(of: name, attached, &rest))
        case "--ca-file": authorities = try value(of: name, attached, &rest)
        case "--firebase-endpoint": firebaseEndpoint = try endpoint(name, value(of: name, attached, &rest))
        case "--enable": vendors.insert(try vendor(name, value(of: name, attached, &rest)))
        case "--disable": vendors.remove(try vendor(name, value(of: name, attached, &rest)))
        case "--step-names": stepNames = try style(name, value(of: name, attached, &rest))
        case "--game", "--seed", "--games", "--headless": try parseGame(name, attached, &rest)
        case "--inspect", "--examples", "--plan": try parseInspection(name, attached, &rest)
        case "--offline", "--faults", "--firebase-sdk", "--json", "--help", "-h":
            guard attached == nil else { throw .usage("\(name) takes no value") }
            raise(name)
        case _ where name.hasPrefix("-"): throw .usage("unknown option \(name); see --help")
        default: throw .usage("unexpected argument '\(word)'; see --help")
        }
    }

    private mutating func raise(_ flag: String) {
        switch flag {
        case "--offline": isOffline = true
        case "--faults": inspection.hasFault = true
        case "--firebase-sdk": usesFirebaseSDK = true
        case "--json": printsJSON = true
        default: showsHelp = true
        }
    }

    /// Returns the value of an option: the text after `=`, or else the next argument.
    func value(
        of name: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(DemoError) -> String {
        let value = attached ?? (rest.first?.hasPrefix("--") == false ? rest.popFirst() : nil)
        guard let value, !value.isEmpty else { throw .usage("\(name) needs a value") }
        return value
    }

    private func endpoint(_ name: String, _ text: String) throws(DemoError) -> Endpoint {
        do throws(ConfigurationError) {
            return try Endpoint(text)
        } catch {
            throw .usage("\(name): \(error)")
        }
    }

    private func format(_ name: String, _ text: String) throws(DemoError) -> AwesomeReceiver.Format {
        if let format = AwesomeReceiver.Format(rawValue: text) { return format }
        throw .usage("\(name): ndjson or otlp, not '\(text)'")
    }

    private func server(_ name: String, _ text: String) throws(DemoError) -> ClickHouseConfiguration.Server {
        switch text {
        case "portable": .portable
        case "modern": .modern
        default: throw .usage("\(name): portable or modern, not '\(text)'")
        }
    }

    private mutating func vendor(_ name: String, _ text: String) throws(DemoError) -> VendorEntry {
        switchesVendors = true
        if let vendor = VendorEntry.all.first(where: { $0.type.name == text }) { return vendor }
        let known = VendorEntry.all.map(\.type.name).joined(separator: ", ")
        throw .usage("\(name): there is no vendor '\(text)'; there are \(known)")
    }

    private func style(_ name: String, _ text: String) throws(DemoError) -> GoogleEvent.NameStyle {
        if let style = GoogleEvent.NameStyle(rawValue: text) { return style }
        throw .usage("\(name): as-written or snake-case, not '\(text)'")
    }
}

extension DemoError {
    /// Creates the error for invalid arguments.
    static func usage(_ message: String) -> DemoError { DemoError(message, code: .usage) }
}

extension Arguments {
    /// Whether a replay or the game runs instead of the shopping journey.
    var isWithoutJourney: Bool { replay != nil || game.isPlayed }

    /// Parses an option of the game.
    mutating func parseGame(
        _ name: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(DemoError) {
        switch name {
        case "--seed":
            guard let seed = UInt64(try value(of: name, attached, &rest)) else {
                throw .usage("--seed: a number from 0 to \(UInt64.max)")
            }
            game.seed = seed
        case "--games":
            guard let games = Int(try value(of: name, attached, &rest)), (1...1_000_000).contains(games) else {
                throw .usage("--games: a number from 1 to 1000000")
            }
            game.games = games
        default:
            guard attached == nil else { throw .usage("\(name) takes no value") }
            if name == "--headless" { game.isHeadless = true } else { game.isPlayed = true }
        }
    }

    /// Refuses options that conflict with the game.
    func checkGame() throws(DemoError) {
        if game.isPlayed, replay != nil { throw .usage("--game excludes --replay") }
        if !game.isPlayed, game != GameOptions() {
            throw .usage("--seed, --games and --headless belong to --game")
        }
    }
}

/// The options of `--game`.
struct GameOptions: Sendable, Equatable {
    /// Whether to play the game instead of the shopping journey.
    var isPlayed = false
    /// The first game's seed, or `nil` for a random one.
    ///
    /// Each further game uses the next number.
    var seed: UInt64?
    /// The number of games.
    var games = 1
    /// Whether the game plays itself at full speed without being drawn.
    var isHeadless = false
}

extension Arguments {
    /// Parses an option of the inspector.
    mutating func parseInspection(
        _ name: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(DemoError) {
        let next = attached ?? (rest.first?.hasPrefix("-") == false ? rest.popFirst() : nil)
        switch name {
        case "--plan":
            guard let next, !next.isEmpty else { throw .usage("--plan needs a value") }
            inspection.plan = next
        case "--examples":
            inspection.tracksExamples = true
            inspection.examples = next
            guard next.map({ !PlannedExamples.events(named: $0).isEmpty }) ?? true else {
                throw .usage("--examples: no module and no event has the name '\(next ?? "")'")
            }
        default:
            guard let port = next.map(UInt16.init) ?? 0 else { throw .usage("--inspect: a port from 0 to 65535") }
            inspection.port = port
        }
    }

    /// Refuses options that conflict with the inspector.
    func checkInspection() throws(DemoError) {
        if inspection.isOn, isOffline { throw .usage("--inspect excludes --offline; set a fault on the page instead") }
        if inspection.hasFault, !inspection.isOn { throw .usage("--faults is for --inspect only") }
        if inspection.plan != nil, !inspection.isOn { throw .usage("--plan is for --inspect only") }
        if inspection.tracksExamples, replay != nil || game.isPlayed {
            throw .usage("--examples excludes --replay and --game")
        }
    }
}

/// The options of `--inspect`.
struct InspectionOptions: Sendable, Equatable {
    /// The inspector's port, with 0 for any free one, or `nil` without an inspector.
    var port: UInt16?
    /// Whether to track the plan's examples instead of the journey.
    var tracksExamples = false
    /// The module or event whose examples are tracked, or `nil` for all.
    var examples: String?
    /// Whether to track an event with a fault for the inspector to find.
    var hasFault = false
    /// The folder of the tracking plan.
    var plan: String?

    /// Whether the inspector is enabled.
    var isOn: Bool { port != nil }
}
