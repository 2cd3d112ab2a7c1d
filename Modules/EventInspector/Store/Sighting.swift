import LoopbackCollector

/// One event on its way to one service: what arrived of it, and what its sender tells.
struct Sighting: Sendable {
    /// The most attempts that are kept; the first and the latest ones.
    private static let attemptLimit = 24

    let service: String
    /// The id that it had when it was first heard of; empty where the wire has none.
    private let id: String
    /// The number of its row.
    var row = 0
    var name: String
    /// When it was tracked, where the id tells.
    let stamp: EventStamp?
    /// When it was first heard of, in microseconds since 1970.
    let firstTime: Int64
    /// What the wire tells.
    var facts: WireFacts?
    /// The request that brought it first.
    private(set) var arrival: Arrival?
    /// Where it stands in that request's body.
    private(set) var place = 0..<0
    /// How often it arrived.
    private(set) var arrivals = 0
    /// How often its receiver took it, and how often it refused it.
    private(set) var counted = (taken: 0, refused: 0)
    /// What the last request that brought it was answered.
    private(set) var lastStatus: Int?
    private(set) var attempts: [Attempt] = []
    /// Attempts that are not kept.
    private(set) var omittedAttempts = 0
    /// What its sender tells of it.
    var report: SenderReport.Event?
    /// Where its sender says it is.
    var fate: SenderReport.Fate?
    /// The product, where the sender or the wire tells.
    var product: String?
    /// What was found in the body when it arrived first.
    var wireFindings: [Finding] = []
    /// What the plan says of it, where that is one event alone.
    var entry: InspectorPlan.Entry?
    /// Whether the plans of several products have the name, and the product is not known.
    var isAmbiguous = false
    /// What the plan's rules find.
    var planFindings: [Finding] = []

    /// Creates what nothing is known of but the name.
    init(service: String, id: String, name: String, time: Int64) {
        self.service = service
        self.id = id
        self.name = name
        firstTime = time
        stamp = EventStamp(id: id)
    }

    /// Takes an arrival in.
    mutating func arrive(by arrival: Arrival, at place: Range<Int>) {
        if self.arrival == nil { (self.arrival, self.place) = (arrival, place) }
        arrivals += 1
        lastStatus = arrival.status
        if let status = arrival.status, status < 300 { counted.taken += 1 } else { counted.refused += 1 }
        add(
            Attempt(end: .receiver, time: arrival.time, status: arrival.status, answer: arrival.answer, verdict: "")
        )
    }

    /// Takes in what one end tells of an attempt.
    mutating func add(_ attempt: Attempt) {
        attempts.append(attempt)
        guard attempts.count > Sighting.attemptLimit else { return }
        attempts.remove(at: Sighting.attemptLimit / 2)
        omittedAttempts += 1
    }

    /// The event's own bytes as they arrived, or else as they are to be sent.
    var body: String {
        arrival.map { String(decoding: $0.body[place], as: UTF8.self) } ?? report?.body ?? ""
    }

    /// About how many bytes it keeps.
    var byteCount: Int {
        let told = report.map { $0.body.utf8.count + $0.own.utf8.count + $0.defaults.utf8.count } ?? 0
        return place.count + told + attempts.reduce(0) { $0 + $1.answer.utf8.count }
    }

    /// The event's id; empty where neither the wire nor the sender has told it.
    var eventID: String { report?.id ?? id }

    /// All findings.
    var findings: [Finding] { wireFindings + planFindings + engineFindings }

    /// The user's id; empty if neither the wire nor the sender has one.
    var user: String { report?.user ?? facts?.user ?? "" }

    /// The session's id; empty if neither the wire nor the sender has one.
    var session: String { report?.session ?? facts?.session ?? "" }

    /// Whether there is a plan for its product and service, which does not have the event.
    var isUnplanned: Bool { planFindings.contains { $0.code == PlanFindings.notInPlan } }

    /// When it was tracked, in microseconds since 1970; the first arrival if neither id nor sender has the time.
    var trackedTime: Int64 {
        stamp.map { Int64(clamping: $0.milliseconds) * 1000 } ?? report?.time ?? firstTime
    }

    /// The sender's installation.
    var device: String { report?.device ?? facts?.device ?? "" }

    /// Where it is, as one word with a reason; the sender's word counts, since only it knows what it will do next.
    var standing: SenderReport.Fate {
        if let refusal = report?.refusal { return SenderReport.Fate(state: "refused", reason: refusal.rule) }
        let isOpen = fate.map { ["queued", "sending"].contains($0.state) } ?? true
        if let fate, !isOpen { return fate }
        guard arrivals > 0 else { return fate ?? SenderReport.Fate(state: "queued", reason: "") }
        switch lastStatus {
        case let status? where status < 300: return SenderReport.Fate(state: "delivered", reason: "")
        case let status?: return SenderReport.Fate(state: "answered", reason: "\(status)")
        case nil: return SenderReport.Fate(state: "unanswered", reason: "")
        }
    }

    private var engineFindings: [Finding] {
        guard let report else { return [] }
        var findings = report.repairs.map { rule, count in
            let text = "Changed before it was sent" + (count > 1 ? ", in \(count) places." : ".")
            return Finding(severity: .warning, source: .engine, code: rule, path: "", text: text)
        }
        if let (rule, field) = report.refusal {
            findings.append(
                Finding(
                    severity: .error,
                    source: .engine,
                    code: rule,
                    path: field,
                    text: "Dropped before it was sent, and counted in the lane's ledger."
                )
            )
        }
        return findings
    }
}
