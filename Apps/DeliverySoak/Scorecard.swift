import CoreTracker
import EventDelivery

/// The results of a soak test, and whether every invariant holds.
struct Scorecard {
    /// The reason for which the producers' middleware drops events.
    static let ruleDrop = DropReason.middleware("soak_rule")

    private(set) var kills = 0
    /// The number of processes that sometimes suspended their storage.
    var suspending = 0
    /// The number of processes sometimes stopped for a moment.
    var freezing = 0
    private(set) var receipts: Set<String> = []
    /// The number of uses of each feature by the producers.
    private var uses: [String: Int] = [:]
    /// The events erased after they had been stored.
    private var erased: Set<String> = []
    /// The number of receipts that report a drop by the middleware.
    private var droppedReceipts = 0
    /// The requests and erasures of producers that must not have happened.
    private var producerFaults: [String] = []
    var denials = 0
    var requestsAfterDenial = 0
    var bytesAfterDenial = 0
    /// The number of grants that were the last decision, but left a later event undelivered.
    var lostGrants = 0
    /// The number of rounds with two engines, a denial and an erasure.
    var hostileRounds = 0
    /// The number of those rounds with a full disk.
    var fullDisks = 0
    var bytesAfterHostileRounds = 0
    /// The unbalanced ledgers, and ledgers that disagree with the rows.
    var imbalances: [String] = []
    private var lost = 0
    private var falseAcknowledgements = 0
    private var pending = 0
    private var dropped = 0
    /// The number of events counted by the ledgers as dropped by the middleware.
    private var ruleDrops = 0
    private var revived = 0
    private var record: FaultyReceiver.Record?
    /// The results of the vendors' destinations.
    var vendors: VendorRound?

    /// Adds the outcome of a producer.
    mutating func add(_ outcome: ProducerFault.Outcome) {
        receipts.formUnion(outcome.receipts)
        if outcome.wasKilled { kills += 1 }
        uses.merge(outcome.uses, uniquingKeysWith: +)
        erased.formUnion(outcome.erased)
        droppedReceipts += outcome.drops
        producerFaults += outcome.faults
    }

    /// Compares the receipts with the received events.
    mutating func evaluate(statistics: [LaneStatistics], record: FaultyReceiver.Record) {
        self.record = record
        lost = receipts.count { record.payloads[$0] == nil }
        let delivered = statistics.reduce(0) { $0 + $1.ledger.delivered }
        falseAcknowledgements = max(0, delivered - record.acknowledged.count)
        pending = statistics.reduce(0) { $0 + $1.ledger.pending }
        func dropped(_ reason: DropReason) -> Int { statistics.reduce(0) { $0 + ($1.ledger.dropped[reason] ?? 0) } }
        ruleDrops = dropped(Scorecard.ruleDrop)
        self.dropped = statistics.reduce(-ruleDrops - dropped(.erased)) {
            $0 + $1.ledger.droppedTotal + $1.ledger.quarantined
        }
        revived = record.drained.intersection(erased).count
    }

    private var rulesBroken: [String] { vendors?.violations ?? [] }

    private var vendorsDrops: [String] { vendors?.dropped ?? [] }

    private typealias Row = (name: String, value: String, isWrong: Bool)

    private var rows: [Row] {
        let unique = record?.payloads.count ?? 0
        let arrivals = record?.arrivals ?? 0
        let sessions = record?.sessions.count ?? 0
        let (scoped, traits) = (record?.scoped ?? 0, record?.traits ?? 0)
        let (holds, erasures) = (uses["hold"] ?? 0, uses["erasure"] ?? 0)
        // In a short run, perhaps no process uses a feature: about one in fifteen completes an erasure.
        func isMissing(_ count: Int) -> Bool { count == 0 && kills > 100 }
        return [
            ("processes killed", "\(kills)", false),
            ("processes that suspend their storage", "\(suspending)", false),
            ("processes stopped for a moment", "\(freezing)", false),
            ("faults of the receiver", "\(record?.faults ?? 0)", false),
            ("events with a receipt", "\(receipts.count)", receipts.isEmpty),
            ("  of these lost (95 % bound)", "\(lost) (\(bound))", lost > 0),
            ("events arrived", "\(unique)", false),
            ("  arrivals per event before dedupe", ratio(arrivals, unique), false),
            ("  with differing payloads", "\(record?.differingPayloads ?? 0)", (record?.differingPayloads ?? 0) > 0),
            ("  out of order", "\(record?.outOfOrder ?? 0)", (record?.outOfOrder ?? 0) > 0),
            ("    sessions checked for order", "\(sessions)", isMissing(sessions)),
            ("    changes of user within sessions", "\(record?.userChanges ?? 0)", isMissing(record?.userChanges ?? 0)),
            ("  on the lane without order", "\(record?.unordered ?? 0)", isMissing(record?.unordered ?? 0)),
            ("    arrived after a later one", "\(record?.overtaken ?? 0)", false),
            ("  under a second id", "\(record?.secondIDs ?? 0)", (record?.secondIDs ?? 0) > 0),
            (
                "  of processes that suspended", "\(record?.suspended ?? 0)",
                suspending > 0 && isMissing(record?.suspended ?? 0)
            ),
            ("  unreadable", "\(record?.unreadable ?? 0)", (record?.unreadable ?? 0) > 0),
            ("  tracked in scopes", "\(scoped)", isMissing(scoped)),
            ("  traits of users", "\(traits)", isMissing(traits)),
            ("  with a wrong user or scope", "\(record?.strangers ?? 0)", (record?.strangers ?? 0) > 0),
            ("  that the middleware drops", "\(record?.unwanted ?? 0)", (record?.unwanted ?? 0) > 0),
            ("dropped by the middleware", "\(ruleDrops)", isMissing(ruleDrops) || ruleDrops < droppedReceipts),
            ("  with a receipt", "\(droppedReceipts)", isMissing(droppedReceipts)),
            ("holds", "\(holds)", isMissing(holds)),
            ("erasures of a user", "\(erasures)", isMissing(erasures)),
            ("  events stored before", "\(erased.count)", isMissing(erased.count)),
            ("    sent at the end", "\(revived)", revived > 0),
            ("wrong requests, erasures and crashes", "\(producerFaults.count)", !producerFaults.isEmpty),
            ("requests with several users", "\(record?.mixedRequests ?? 0)", (record?.mixedRequests ?? 0) > 0),
            ("false acknowledgements", "\(falseAcknowledgements)", falseAcknowledgements > 0),
            ("still pending", "\(pending)", pending > 0),
            ("otherwise dropped or quarantined", "\(dropped)", dropped > 0),
            ("ledgers out of balance", "\(imbalances.count)", !imbalances.isEmpty),
            ("denials of consent", "\(denials)", false),
            ("  requests in flight or started after", "\(requestsAfterDenial)", requestsAfterDenial > 0),
            ("  files with a payload afterwards", "\(bytesAfterDenial)", bytesAfterDenial > 0),
            ("  later grants without effect", "\(lostGrants)", lostGrants > 0),
            ("vendors' events with a receipt", "\(vendors?.receipts ?? 0)", vendors.map { $0.receipts == 0 } ?? true),
            ("  of these lost", "\(vendors?.lost ?? 0)", (vendors?.lost ?? 0) > 0),
            ("  faults of their receivers", "\(vendors?.faults ?? 0)", false),
            ("  broken rules of their receivers", "\(rulesBroken.count)", !rulesBroken.isEmpty),
            ("  still pending", "\(vendors?.pending ?? 0)", (vendors?.pending ?? 0) > 0),
            ("  dropped or quarantined", "\(vendorsDrops.count)", !vendorsDrops.isEmpty),
            ("denials and erasures in two engines", "\(hostileRounds) (\(fullDisks) on a full disk)", false),
            ("  files with a payload afterwards", "\(bytesAfterHostileRounds)", bytesAfterHostileRounds > 0),
        ]
    }

    /// The figures, one per line.
    ///
    /// A line is marked if it must be 0 and is not.
    var text: String {
        let lines = rows.map { row in
            row.name.padding(toLength: 38) + row.value + (row.isWrong ? "   <- WRONG" : "")
        }
        return (lines + imbalances + producerFaults.prefix(10) + rulesBroken.prefix(10) + vendorsDrops.prefix(10))
            .joined(separator: "\n")
    }

    /// The lines whose invariant is violated.
    var violations: [String] {
        rows.filter(\.isWrong).map { "\($0.name.drop { $0 == " " }) \($0.value)" }
    }

    /// The upper limit of the loss rate at 95 % confidence, by the rule of three.
    private var bound: String {
        receipts.isEmpty ? "none" : "< \(ratio(3 * 100, receipts.count)) %"
    }

    private func ratio(_ part: Int, _ whole: Int) -> String {
        guard whole > 0 else { return "0" }
        let scaled = part * 10_000 / whole
        let fraction = "\(scaled % 10_000 + 10_000)".dropFirst()
        return "\(scaled / 10_000).\(fraction)"
    }
}

extension String {
    fileprivate func padding(toLength length: Int) -> String {
        self + String(repeating: " ", count: Swift.max(1, length - count))
    }
}
