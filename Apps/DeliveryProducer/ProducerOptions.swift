import CoreTracker
import EventDelivery
import Foundation

/// What the command line of the producer says.
struct ProducerOptions {
    /// The directory of the outbox.
    var queue: URL
    /// Where the lines are posted to.
    var endpoint: URL
    /// How many events are tracked; with 0 it only delivers what waits.
    var count = 0
    var durability = TrackOptions.Durability.durable
    /// How many lanes the events are spread over in turn.
    var lanes = 1
    /// Whether every second lane needs no order.
    var isUnordered = false
    /// After how many events someone signs in, signs out or resets; 0 for never.
    var switchEvery = 0
    /// Events per second; 0 for as fast as receipts come.
    var rate = 0
    /// Events that wait for their receipts at a time.
    var window = 64
    /// Bytes of padding in each event.
    var padding = 100
    /// Seconds that the final flush may take.
    var deadline = 30
    /// The most milliseconds between giving the files back and taking them up again, and back; 0 for never.
    var suspendEvery = 0
    /// The system call of SQLite inside which the process ends itself; 0 for none.
    var killAtCall = 0
    /// Whether pauses of an earlier run are ended at the start, as a host does that has mended their cause.
    var resumes = false
    /// How many resets come before the first event, each told with the id that follows; `nil` where no id is told.
    var resets: Int?
    /// Whether a line on standard input is waited for before the final flush.
    var holds = false
    /// The link of an inspector that the engine reports to.
    var inspector: String?
    /// Microseconds from the first request, or from closing an inspected engine, to the end of the process.
    var exitAfter: Int?

    static let usage = """
        usage: DeliveryProducer --queue DIR --endpoint URL [--count N] [--durability relaxed|durable|strict]
                                [--lanes N] [--rate EVENTS_PER_SECOND] [--window N] [--padding BYTES]
                                [--deadline SECONDS] [--hold] [--resume] [--kill-at-call N]
                                [--unordered] [--switch-every EVENTS] [--suspend-every MILLISECONDS]
                                [--resets N] [--inspect LINK] [--exit-after MICROSECONDS]

        prints  O <pending>   when the engine is open
                I <device id> with --resets, then, and when each reset has returned
                R <event id>  for each event whose receipt says that it is persisted
                L <reason>    for each event that was lost
                H             with --hold, when everything is tracked; from there on it waits to be killed
                D             when the final flush has ended, followed by the ledgers as one line of JSON

        """

    /// Reads the arguments after the program's name; `nil` when they make no sense.
    init?(_ arguments: [String]) {
        var values: [String: String] = [:]
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if ["--hold", "--resume", "--unordered"].contains(name) {
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
        case "--exit-after": exitAfter = number
        default: return false
        }
        return true
    }
}
