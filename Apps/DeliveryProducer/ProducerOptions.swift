import CoreTracker
import EventDelivery
import Foundation
import OptionParsing

/// The producer's command-line options.
struct ProducerOptions: ProgramOptions {
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

    static let program = "DeliveryProducer"
    static let help = """
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

    init(_ words: [String]) throws(UsageError) {
        var reader = OptionReader(words)
        var (directory, receiver): (String?, URL?)
        func number(from least: Int = 0) throws(UsageError) -> Int { try reader.number(in: least...Int.max) }
        while let word = try reader.next() {
            switch word {
            case "--queue": directory = try reader.value()
            case "--endpoint": receiver = URL(string: try reader.value())
            case "--durability":
                durability = try reader.choice(of: ["relaxed": .relaxed, "durable": .durable, "strict": .strict])
            case "--inspect": inspector = try reader.value()
            case "--hold": holds = true
            case "--resume": resumes = true
            case "--unordered": isUnordered = true
            case "--decide": decides = true
            case "--features": usesFeatures = true
            case "--count": count = try number()
            case "--lanes": lanes = try number(from: 1)
            case "--rate": rate = try number()
            case "--switch-every": switchEvery = try number()
            case "--suspend-every": suspendEvery = try number()
            case "--window": window = try number(from: 1)
            case "--padding": padding = try number()
            case "--deadline": deadline = try number()
            case "--kill-at-call": killAtCall = try number()
            case "--resets": resets = try number()
            case "--quotas": documents = try number()
            case "--users": users = try number()
            case "--exit-after": exitAfter = try number()
            default: throw reader.unknown
            }
        }
        guard let directory, let receiver else { throw UsageError("it needs --queue and --endpoint; see --help") }
        queue = URL(filePath: directory, directoryHint: .isDirectory)
        endpoint = receiver
    }
}
