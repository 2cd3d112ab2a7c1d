import CoreTracker
import EventDelivery
import OptionParsing

/// The parsed command line.
struct QueueArguments: ProgramOptions {
    /// The command.
    enum Verb: Sendable, Equatable {
        case list
        case why(LaneID?)
        case tail(LaneID?)
        case explain(EventID)
        case quarantine(QuarantineAction, Choice)
        case export(Choice)
        case verify
        case purge(LaneID)
    }

    /// The action on quarantined events.
    enum QuarantineAction: String, Sendable {
        case list, retry, discard
    }

    /// A selection of events.
    ///
    /// An empty or `nil` property excludes no events.
    struct Choice: Sendable, Equatable {
        var ids: [EventID] = []
        var lane: LaneID?
        var reason: String?
        var state: StoredEvent.State.Name?
        var isAll = false

        /// Whether the selection has no conditions.
        var isEmpty: Bool { self == Choice() }
    }

    static let program = "queue"

    /// The directory of the queue.
    var directory = ""
    var verb = Verb.list
    /// Whether the output is JSON.
    var isJSON = false
    /// Whether the events' bodies are shown.
    var showsBodies = false
    /// Whether a change is made.
    ///
    /// Otherwise it is only described.
    var isConfirmed = false
    /// The lane named by the user for confirmation.
    var confirmedLane: LaneID?
    /// The maximum number of events that `tail` shows at first.
    var count = 10
    /// Whether `tail` continues with new events.
    var follows = false

    private var choice = Choice()
    /// The names of the options, in order.
    private var options: [String] = []

    init(_ words: [String]) throws(UsageError) {
        var places: [String] = []
        var reader = OptionReader(words)
        while let word = try reader.next() {
            if reader.isOption { try parse(&reader) } else { places.append(word) }
        }
        guard let first = places.first else { throw UsageError("the queue's directory is missing; see --help") }
        directory = first
        verb = try verb(places.dropFirst())
        try check()
    }

    private mutating func parse(_ reader: inout OptionReader) throws(UsageError) {
        options.append(reader.word)
        switch reader.word {
        case "--json": isJSON = true
        case "--body": showsBodies = true
        case "--all": choice.isAll = true
        case "-f", "--follow": follows = true
        case "--yes":
            isConfirmed = true
            if let lane = reader.attachedValue() { confirmedLane = try QueueArguments.lane(lane) }
        case "-n": count = try reader.number(in: 1...Int.max)
        case "--lane": choice.lane = try QueueArguments.lane(reader.value())
        case "--reason": choice.reason = try reader.value()
        case "--state":
            choice.state = try reader.choice(of: [
                "queued": .queued, "awaiting-consent": .awaitingConsent, "quarantined": .quarantined,
            ])
        default: throw reader.unknown
        }
    }

    private func verb(_ words: ArraySlice<String>) throws(UsageError) -> Verb {
        var words = words
        let name = words.popFirst() ?? "list"
        switch name {
        case "list", "verify":
            try QueueArguments.end(of: words)
            return name == "list" ? .list : .verify
        case "why", "tail":
            let lane = try words.popFirst().map(QueueArguments.lane) ?? choice.lane
            try QueueArguments.end(of: words)
            return name == "why" ? .why(lane) : .tail(lane)
        case "explain":
            guard let text = words.popFirst() else { throw UsageError("explain needs the id of an event") }
            try QueueArguments.end(of: words)
            return .explain(try QueueArguments.id(text))
        case "quarantine":
            let action = words.first.flatMap(QuarantineAction.init)
            if action != nil { words.removeFirst() }
            var choice = choice
            for word in words { choice.ids.append(try QueueArguments.id(word)) }
            return .quarantine(action ?? .list, choice)
        case "export":
            var choice = choice
            if let word = words.popFirst() { choice.lane = try QueueArguments.lane(word) }
            try QueueArguments.end(of: words)
            return .export(choice)
        case "purge":
            guard let text = words.popFirst() else { throw UsageError("purge needs a lane, such as DL/firebase") }
            try QueueArguments.end(of: words)
            return .purge(try QueueArguments.lane(text))
        default: throw UsageError("unknown verb '\(name)'; see --help")
        }
    }

    private func check() throws(UsageError) {
        let (name, used) = verb.usage
        if let option = options.first(where: { $0 != "--json" && !used.contains($0) }) {
            throw UsageError("\(name) does not use \(option); see --help")
        }
        switch verb {
        case .quarantine(let action, let choice):
            if choice.isEmpty, action != .list {
                throw UsageError("quarantine \(action.rawValue) needs events: ids, --lane, --reason or --all")
            }
            if confirmedLane != nil { throw UsageError("--yes=LANE is for purge only; use --yes here") }
        case .purge(let lane):
            if isConfirmed, confirmedLane != lane { throw UsageError("to confirm the purge, use --yes=\(lane)") }
        default: break
        }
    }

    private static func end(of words: ArraySlice<String>) throws(UsageError) {
        if let word = words.first { throw UsageError("unexpected argument '\(word)'; see --help") }
    }

    private static func lane(_ text: String) throws(UsageError) -> LaneID {
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw UsageError("'\(text)' is not a lane; write it as PRODUCT/SERVICE, such as DL/firebase")
        }
        return LaneID(product: parts[0], service: parts[1])
    }

    private static func id(_ text: String) throws(UsageError) -> EventID {
        guard let id = EventID(text) else { throw UsageError("'\(text)' is not an event's id, which is a UUID") }
        return id
    }
}

extension QueueArguments.Verb {
    /// The command's name, and the options that it uses besides `--json`.
    fileprivate var usage: (name: String, options: Set<String>) {
        switch self {
        case .list: ("list", [])
        case .why: ("why", ["--lane"])
        case .tail: ("tail", ["--lane", "-n", "-f", "--follow", "--body"])
        case .explain: ("explain", ["--body"])
        case .quarantine(.list, _): ("quarantine list", ["--lane", "--reason", "--all", "--body"])
        case .quarantine(let action, _): ("quarantine \(action.rawValue)", ["--lane", "--reason", "--all", "--yes"])
        case .export: ("export", ["--lane", "--state", "--body"])
        case .verify: ("verify", [])
        case .purge: ("purge", ["--yes"])
        }
    }
}

extension QueueArguments {
    /// The text of `--help`.
    static let help = """
        queue DIR [VERB] shows the queue of a directory: which events wait there, why, and what to do about it.

        Only retry, discard and purge change DIR, and only with --yes. The other verbs read a private copy, so DIR may
        be in use, on a read-only medium, owned by another user, or copied from a phone. The copy is in the temporary
        directory (TMPDIR), is removed at the end, and needs as much space as the queue. If there is not enough free
        space, nothing is copied. Control characters in texts are escaped.

          list                        the lanes, with the counts of accepted, delivered, pending and dropped events
          why [LANE]                  why the events of a lane wait, and what to do about it
          tail [LANE] [-n N] [-f]     the last 10 or N stored events; -f or --follow also prints new ones,
                                      at most 1,000 each time it looks
          explain ID                  where an event is, and why
          quarantine [list] [WHICH]   the events that a receiver refused
          quarantine retry WHICH      puts them at the end of their lanes
          quarantine discard WHICH    deletes them and counts them as discarded
          export [LANE] [--state S]   each stored event as a line of JSON, with its body; S is queued,
                                      awaiting-consent or quarantined
          verify                      checks that each record is intact and that the counts agree
          purge LANE                  deletes all stored events of a lane and counts them; needs --yes=LANE

          WHICH                       ids, --lane LANE, --reason TEXT (the beginning of the reason, such as
                                      "status 400", or of the receiver's code after it), or --all
          --yes                       makes the change; without it the tool only describes the change
          --json                      prints JSON: one line for each event, or one line for the whole result
          --body                      also shows the bodies of events
          --help                      prints this help

        exit codes:
            0  success, or no problem was found
            1  a problem was found: a cause (why), a quarantined event, damage (verify, export), a queue that cannot be
               read (why, quarantine, export, verify) or a directory that an engine refuses (list, why, verify); or the
               event or lane does not exist
           64  invalid arguments, such as an option that the verb does not use
           66  there is no queue
           74  a file cannot be read or written
           75  another process uses the queue; nothing was changed
           77  the queue belongs to another user; nothing was changed
        """
}
