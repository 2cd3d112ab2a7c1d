import LoopbackCollector

/// A delivery of one event to one service, from the receiver's requests and the sender's reports.
struct Sighting: Sendable {
    /// The maximum number of attempts to keep.
    ///
    /// The first and the latest ones are kept.
    private static let attemptLimit = 24

    let service: String
    /// The id in the first report or request.
    ///
    /// Empty if there was none.
    private let id: String
    /// The number of its row.
    var row = 0
    var name: String
    /// The time of tracking, if the id contains it.
    let stamp: EventStamp?
    /// The time of the first report or request, in microseconds since 1970.
    let firstTime: Int64
    /// The facts from the body of the request.
    var facts: WireFacts?
    /// The first request with the event.
    private(set) var arrival: Arrival?
    /// The range of the event in the body of that request.
    private(set) var place = 0..<0
    /// The number of arrivals.
    private(set) var arrivals = 0
    /// The numbers of accepted and refused arrivals.
    private(set) var counted = (taken: 0, refused: 0)
    /// The status of the response to the last request with the event.
    private(set) var lastStatus: Int?
    private(set) var attempts: [DeliveryAttempt] = []
    /// The number of omitted attempts.
    private(set) var omittedAttempts = 0
    /// The sender's report of the event.
    var report: SenderReport.Event?
    /// The status of the event, according to the sender.
    var reportedStatus: SenderReport.Status?
    /// The product, if the sender or the request contains it.
    var product: String?
    /// The findings in the body of the first request.
    var wireFindings: [Finding] = []
    /// The planned event, if there is exactly one.
    var entry: InspectorPlan.Entry?
    /// Whether several products plan an event of this name and the product is unknown.
    var isAmbiguous = false
    /// The findings of the comparison with the plan.
    var planFindings: [Finding] = []

    /// Creates a delivery from its service and name, and from its id, which can be empty.
    init(service: String, id: String, name: String, time: Int64) {
        self.service = service
        self.id = id
        self.name = name
        firstTime = time
        stamp = EventStamp(id: id)
    }

    /// Records an arrival.
    mutating func arrive(by arrival: Arrival, at place: Range<Int>) {
        if self.arrival == nil { (self.arrival, self.place) = (arrival, place) }
        arrivals += 1
        lastStatus = arrival.status
        if let status = arrival.status, status < 300 { counted.taken += 1 } else { counted.refused += 1 }
        add(
            DeliveryAttempt(
                end: .receiver,
                time: arrival.time,
                status: arrival.status,
                response: arrival.response,
                result: ""
            )
        )
    }

    /// Records an attempt that one side reports.
    mutating func add(_ attempt: DeliveryAttempt) {
        attempts.append(attempt)
        guard attempts.count > Sighting.attemptLimit else { return }
        attempts.remove(at: Sighting.attemptLimit / 2)
        omittedAttempts += 1
    }

    /// The bytes of the event as received or, before its arrival, as they will be sent.
    var body: String {
        arrival.map { String(decoding: $0.body[place], as: UTF8.self) } ?? report?.body ?? ""
    }

    /// The approximate size, in bytes.
    var byteCount: Int {
        let reported = report.map { $0.body.utf8.count + $0.own.utf8.count + $0.defaults.utf8.count } ?? 0
        return place.count + reported + attempts.reduce(0) { $0 + $1.response.utf8.count }
    }

    /// The event's id.
    ///
    /// Empty if neither the request nor the sender contains it.
    var eventID: String { report?.id ?? id }

    /// All findings.
    var findings: [Finding] { wireFindings + planFindings + personalFindings + engineFindings }

    /// The user's id.
    ///
    /// Empty if neither the request nor the sender contains it.
    var user: String { report?.user ?? facts?.user ?? "" }

    /// The session's id.
    ///
    /// Empty if neither the request nor the sender contains it.
    var session: String { report?.session ?? facts?.session ?? "" }

    /// Whether the plan covers the product and the service, but not the event.
    var isUnplanned: Bool { planFindings.contains { $0.code == PlanFindings.notInPlan } }

    /// The time of tracking, in microseconds since 1970, or the first arrival if the time is unknown.
    var trackedTime: Int64 {
        stamp.map { Int64(clamping: $0.milliseconds) * 1000 } ?? report?.time ?? firstTime
    }

    /// The installation of the sender.
    var device: String { report?.device ?? facts?.device ?? "" }

    /// The status of the event.
    ///
    /// The sender's report takes precedence, because only the sender decides about retries.
    var status: SenderReport.Status {
        if let error = report?.error { return SenderReport.Status(state: "refused", reason: error.rule) }
        let isOpen = reportedStatus.map { ["queued", "sending"].contains($0.state) } ?? true
        if let reportedStatus, !isOpen { return reportedStatus }
        guard arrivals > 0 else { return reportedStatus ?? SenderReport.Status(state: "queued", reason: "") }
        switch lastStatus {
        case let status? where status < 300: return SenderReport.Status(state: "delivered", reason: "")
        case let status?: return SenderReport.Status(state: "answered", reason: "\(status)")
        case nil: return SenderReport.Status(state: "unanswered", reason: "")
        }
    }

    /// The parameters whose names suggest personal data.
    ///
    /// Profile updates contain personal data on purpose.
    private var personalFindings: [Finding] {
        guard !PlanFindings.profileUpdates.contains(name), let parameters = facts?.parameters else { return [] }
        return PlanFindings.personal(in: parameters)
    }

    private var engineFindings: [Finding] {
        guard let report else { return [] }
        var findings = report.adjustments.map { rule, count in
            let text = "Changed before it was sent" + (count > 1 ? ", in \(count) places." : ".")
            return Finding(severity: .warning, source: .engine, code: rule, path: "", text: text)
        }
        if let (rule, field) = report.error {
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

/// An attempt to deliver an event, as reported by the receiver or by the sender.
struct DeliveryAttempt: Sendable {
    /// The side that reported the attempt.
    enum End: String, Sendable {
        case receiver, sender
    }

    let end: End
    /// The time of the attempt, in microseconds since 1970.
    let time: Int64
    /// The status of the response, or `nil` if there was none.
    let status: Int?
    /// The start of the response, or the reason that there is none.
    let response: String
    /// The sender's result for the response.
    ///
    /// Empty if the receiver reported the attempt.
    let result: String
}

/// The time of tracking in a version 7 UUID, which also orders all events of a sender.
struct EventStamp: Sendable, Hashable, Comparable {
    /// The maximum time between two deliveries of one call of `track`, in milliseconds.
    ///
    /// The work of a service takes microseconds. The rest allows for interruptions on a busy machine.
    static let reach: UInt64 = 20

    /// The milliseconds since 1970, combined with a counter within the millisecond.
    let ticks: UInt64

    /// Milliseconds since 1970.
    var milliseconds: UInt64 { ticks >> 12 }

    /// The position among the events of the same millisecond.
    var counter: UInt64 { ticks & 0xFFF }

    /// Creates a stamp from an id, or returns `nil` if it is not a version 7 UUID.
    init?(id: String) {
        let digits = id.utf8.filter { $0 != UInt8(ascii: "-") }
        guard id.utf8.count == 36, digits.count == 32, digits[12] == UInt8(ascii: "7"),
            let high = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16)
        else { return nil }
        ticks = (high >> 16) << 12 | high & 0xFFF
    }

    /// Creates a stamp.
    init(milliseconds: UInt64, counter: UInt64 = 0) {
        ticks = milliseconds << 12 | counter
    }

    static func < (left: EventStamp, right: EventStamp) -> Bool { left.ticks < right.ticks }

    /// Returns whether another stamp is close enough to belong to the same call of `track`.
    func isNear(_ other: EventStamp) -> Bool {
        max(milliseconds, other.milliseconds) - min(milliseconds, other.milliseconds) <= EventStamp.reach
    }
}
