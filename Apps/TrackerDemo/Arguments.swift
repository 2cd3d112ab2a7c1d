import Analytics
import AwesomeTracking
import CoreTracker
import EventDelivery
import OptionParsing
import SuperApp

/// The demo's command-line arguments.
struct Arguments: ProgramOptions {
    static let program = "TrackerDemo"

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

    init(_ words: [String]) throws(UsageError) {
        var reader = OptionReader(words)
        while try reader.next() != nil { try parse(&reader) }
        if isOffline, awesomeEndpoint != nil || firebaseEndpoint != nil {
            throw UsageError("--offline and an endpoint exclude each other: offline, all receivers are down")
        }
        if usesFirebaseSDK, firebaseEndpoint != nil {
            throw UsageError("--firebase-sdk and --firebase-endpoint exclude each other: an SDK has no endpoint")
        }
        if switchesVendors, replay != nil {
            throw UsageError("--enable and --disable apply to the vendors of the journey, and a replay has none")
        }
        if awesomeUser != nil, awesomeEndpoint == nil || awesomeFormat == .otlp {
            throw UsageError("--awesome-user is for --awesome-endpoint with ClickHouse only")
        }
        if awesomeServer != .portable, awesomeFormat == .otlp {
            throw UsageError("--awesome-server is for ClickHouse only, and otlp is not its format")
        }
        try checkGame()
        try checkInspection()
    }

    private mutating func parse(_ reader: inout OptionReader) throws(UsageError) {
        switch reader.word {
        case "--replay": replay = try reader.value()
        case "--queue": queue = try reader.value()
        case "--awesome-endpoint": awesomeEndpoint = try endpoint(&reader)
        case "--awesome-format": awesomeFormat = try reader.choice(of: ["ndjson": .ndjson, "otlp": .otlp])
        case "--awesome-user": awesomeUser = try reader.value()
        case "--awesome-server": awesomeServer = try reader.choice(of: ["portable": .portable, "modern": .modern])
        case "--ca-file": authorities = try reader.value()
        case "--firebase-endpoint": firebaseEndpoint = try endpoint(&reader)
        case "--enable": vendors.insert(try vendor(&reader))
        case "--disable": vendors.remove(try vendor(&reader))
        case "--step-names":
            stepNames = try reader.choice(of: ["as-written": .asWritten, "snake-case": .snakeCase])
        case "--game", "--seed", "--games", "--headless": try parseGame(&reader)
        case "--inspect", "--examples", "--plan": try parseInspection(&reader)
        case "--offline": isOffline = true
        case "--faults": inspection.hasFault = true
        case "--firebase-sdk": usesFirebaseSDK = true
        case "--json": printsJSON = true
        default: throw reader.unknown
        }
    }

    private func endpoint(_ reader: inout OptionReader) throws(UsageError) -> Endpoint {
        try reader.value { text throws(ConfigurationError) in try Endpoint(text) }
    }

    private mutating func vendor(_ reader: inout OptionReader) throws(UsageError) -> VendorEntry {
        switchesVendors = true
        let text = try reader.value()
        if let vendor = VendorEntry.all.first(where: { $0.type.name == text }) { return vendor }
        let known = VendorEntry.all.map(\.type.name).joined(separator: ", ")
        throw UsageError("\(reader.word): there is no vendor '\(text)'; there are \(known)")
    }
}

extension Arguments {
    /// Whether a replay or the game runs instead of the shopping journey.
    var isWithoutJourney: Bool { replay != nil || game.isPlayed }

    /// Parses an option of the game.
    mutating func parseGame(_ reader: inout OptionReader) throws(UsageError) {
        switch reader.word {
        case "--seed": game.seed = try reader.number(in: 0...UInt64.max)
        case "--games": game.games = try reader.number(in: 1...1_000_000)
        case "--headless": game.isHeadless = true
        default: game.isPlayed = true
        }
    }

    /// Refuses options that conflict with the game.
    func checkGame() throws(UsageError) {
        if game.isPlayed, replay != nil { throw UsageError("--game excludes --replay") }
        if !game.isPlayed, game != GameOptions() {
            throw UsageError("--seed, --games and --headless belong to --game")
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
    mutating func parseInspection(_ reader: inout OptionReader) throws(UsageError) {
        switch reader.word {
        case "--plan": inspection.plan = try reader.value()
        case "--examples":
            let name = reader.optionalValue()
            inspection.tracksExamples = true
            inspection.examples = name
            guard name.map({ !PlannedExamples.events(named: $0).isEmpty }) ?? true else {
                throw UsageError("--examples: no module and no event has the name '\(name ?? "")'")
            }
        default:
            guard let port = reader.optionalValue().map(UInt16.init) ?? 0 else {
                throw UsageError("--inspect: a port from 0 to 65535")
            }
            inspection.port = port
        }
    }

    /// Refuses options that conflict with the inspector.
    func checkInspection() throws(UsageError) {
        if inspection.isOn, isOffline {
            throw UsageError("--inspect excludes --offline; set a fault on the page instead")
        }
        if inspection.hasFault, !inspection.isOn { throw UsageError("--faults is for --inspect only") }
        if inspection.plan != nil, !inspection.isOn { throw UsageError("--plan is for --inspect only") }
        if inspection.tracksExamples, replay != nil || game.isPlayed {
            throw UsageError("--examples excludes --replay and --game")
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
