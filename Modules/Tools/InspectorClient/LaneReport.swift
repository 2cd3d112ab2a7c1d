import CoreTracker
import EventDelivery

/// The state of a lane, as reported to the inspector.
struct LaneReport: Sendable, Equatable {
    /// The lane.
    let id: LaneID
    private let ledger: LaneLedger
    private let cause: String?
    private let lostReports: Int

    /// Creates a report from a lane's statistics.
    init(_ statistics: LaneStatistics, lostReports: Int) {
        id = statistics.id
        ledger = statistics.ledger
        cause = statistics.explanation
        self.lostReports = lostReports
    }

    /// Creates a report of the events that trackers without a vendor service have dropped for one vendor.
    ///
    /// These events belong to no engine. The lane has the product `?`, which the inspector uses if the product is
    /// unknown.
    init(vendor: TrackerType, dropped: Int, lostReports: Int) {
        var ledger = LaneLedger()
        ledger.accepted = dropped
        ledger.drop(dropped, .noVendorService)
        id = LaneID(product: "?", service: vendor.name)
        self.ledger = ledger
        cause = "a tracker without a vendor service dropped events for \(vendor): pass it one"
        self.lostReports = lostReports
    }

    /// The report as a line of JSON.
    var line: [UInt8] {
        ReportLine.line("lane", id) { json in
            json.member("accepted", .int(ledger.accepted))
            json.member("delivered", .int(ledger.delivered))
            json.member("pending", .int(ledger.pending))
            json.member("quarantined", .int(ledger.quarantined))
            let dropped = ledger.dropped.map { ($0.key.name, $0.value) }.sorted { $0.0 < $1.0 }
            json.member("dropped", .object(EventParameters(dropped.map { (ParameterKey($0.0), .int($0.1)) })))
            if let cause { json.member("cause", .string(cause)) }
            if lostReports > 0 { json.member("lostReports", .int(lostReports)) }
        }
    }
}
