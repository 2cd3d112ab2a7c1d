import CoreTracker
import EventDelivery
import Foundation

/// The producer's command-line options.
struct ProducerOptions {
    /// The directory of the outbox.
    var queue: URL
    /// The receiver of the lines.
    var endpoint: URL
    /// The number of events to track.
    ///
    /// With 0, it only delivers stored events.
    var count = 0
    var durability = TrackOptions.Durability.durable
    /// The number of lanes, used in turn.
    var lanes = 1
    /// Whether every second lane needs no order.
    var isUnordered = false
    /// The number of events between changes of the user, or 0 for none.
    var switchEvery = 0
    /// The number of events per second, or 0 to wait only for receipts.
    var rate = 0
    /// The maximum number of outstanding receipts.
    var window = 64
    /// The number of bytes of padding in each event.
    var padding = 100
    /// The deadline of the final flush in seconds.
    var deadline = 30
    /// The maximum number of milliseconds between suspending and resuming the storage, or 0 to never suspend it.
    var suspendEvery = 0
    /// The number of the SQLite system call in which the process kills itself, or 0 for none.
    var killAtCall = 0
    /// Whether to end pauses of earlier runs, as an app does after fixing their cause.
    var resumes = false
    /// The number of resets before the first event, each followed by a line with the new id, or `nil` to print no ids.
    var resets: Int?
    /// The number of quotas documents for the engine before the first event, or 0 for none.
    var documents = 0
    /// The number of users whose traits are sent before the first event, each followed by a line.
    var users = 0
    /// Whether to use scopes, middleware, traits, holds and erasures while events are tracked.
    var usesFeatures = false
    /// Whether to deny and grant consent in turn while events are tracked.
    var decides = false
    /// Whether to wait for a line on stdin before the final flush.
    var holds = false
    /// The link of an inspector for the engine's reports.
    var inspector: String?
    /// The microseconds from the first request, or from closing an inspected engine, to the end of the process.
    var exitAfter: Int?

    static let usage = """
        usage: DeliveryProducer --queue DIR --endpoint URL [--count N] [--durability relaxed|durable|strict]
                                [--lanes N] [--rate EVENTS_PER_SECOND] [--window N] [--padding BYTES]
                                [--deadline SECONDS] [--hold] [--resume] [--kill-at-call N]
                                [--unordered] [--switch-every EVENTS] [--suspend-every MILLISECONDS]
                                [--resets N] [--quotas N] [--users N] [--inspect LINK]
                                [--exit-after MICROSECONDS] [--features] [--decide]

        prints  O <pending>   when the engine is open
                I <device id> with --resets, when the engine is open, and when each reset has returned
                A <number>    with --quotas, when a document has been accepted, whose rate is the number
                T <user>      with --users, when the user's traits are stored
                R <event id>  for each event whose receipt says that it is stored; not for the erased user's
                L <reason>    for each event that was lost
                U <feature>   with --features, for each hold and each erasure that has succeeded
                E <event id>  with --features, for each event that was stored before such an erasure
                X <fault>     with --features, for each request or erasure that must not have happened
                C <consent>   with --decide, for the decision in effect when the engine is open
                B <consent> <mark>    before each decision, for whose denial events with the mark were tracked
                S <consent> <mark> <clean|unclean>    when it is stored
                F <consent> <mark>    when it was not stored
                H             with --hold, when all events are tracked; then the process waits to be killed
                D             when the final flush has ended, followed by the ledgers as one line of JSON

        """

    /// Parses the arguments after the program's name.
    ///
    /// Returns `nil` if they are invalid.
    init?(_ arguments: [String]) {
        var values: [String: String] = [:]
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if ["--hold", "--resume", "--unordered", "--features", "--decide"].contains(name) {
                values[name] = ""
            } else {
                guard name.hasPrefix("--"), let value = rest.popFirst() else { return nil }
                values[name] = value
            }
        }
        guard let queue = values.removeValue(forKey: "--queue"),
            let endpoint = values.removeValue(forKey: "--endpoint").flatMap(URL.init(string:))
        else { return nil }
        self.queue = URL(filePath: queue, directoryHint: .isDirectory)
        self.endpoint = endpoint
        inspector = values.removeValue(forKey: "--inspect")
        holds = values.removeValue(forKey: "--hold") != nil
        resumes = values.removeValue(forKey: "--resume") != nil
        isUnordered = values.removeValue(forKey: "--unordered") != nil
        decides = values.removeValue(forKey: "--decide") != nil
        usesFeatures = values.removeValue(forKey: "--features") != nil
        for (name, value) in values where !read(name, value) { return nil }
    }

    private mutating func read(_ name: String, _ value: String) -> Bool {
        if name == "--durability" {
            let named: [String: TrackOptions.Durability] = [
                "relaxed": .relaxed, "durable": .durable, "strict": .strict,
            ]
            durability = named[value] ?? durability
            return named[value] != nil
        }
        guard let number = Int(value), number >= 0 else { return false }
        switch name {
        case "--count": count = number
        case "--lanes": lanes = max(1, number)
        case "--rate": rate = number
        case "--switch-every": switchEvery = number
        case "--suspend-every": suspendEvery = number
        case "--window": window = max(1, number)
        case "--padding": padding = number
        case "--deadline": deadline = number
        case "--kill-at-call": killAtCall = number
        case "--resets": resets = number
        case "--quotas": documents = number
        case "--users": users = number
        case "--exit-after": exitAfter = number
        default: return false
        }
        return true
    }
}
