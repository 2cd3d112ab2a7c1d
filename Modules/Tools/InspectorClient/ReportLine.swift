import CoreTracker
import EventDelivery

/// The lines of reports.
///
/// Each is a JSON object with a `kind`.
enum ReportLine {
    private static let responseBytes = 256

    /// Returns the report of an event, with its parameters and the bytes to send.
    ///
    /// For an event that waits for consent, the report contains only the name, the id and the time.
    static func event(
        _ event: OutgoingEvent,
        on lane: LaneID,
        body: [UInt8],
        adjustments: [String: Int],
        error: EventEncodingError?
    ) -> [UInt8] {
        line(event.awaitsConsent ? "awaiting_consent" : "event", lane) { json in
            json.key("id")
            json.id(event.id)
            json.member("name", .string(event.name))
            json.key("time")
            json.int(event.time.microseconds)
            if let error { json.member("refused", .string(error.rule)) }
            guard !event.awaitsConsent else { return }
            json.member("device", .string(event.identity.deviceID))
            json.member("user", .string(event.identity.userID ?? ""))
            json.member("session", .string(event.identity.sessionID))
            json.key("own")
            json.beginString()
            json.object(event.parameters)
            json.endString()
            json.key("defaults")
            json.beginString()
            json.object(event.defaults)
            json.endString()
            json.member("body", .string(String(decoding: body, as: UTF8.self)))
            let counts = adjustments.sorted { $0.key < $1.key }.map {
                (ParameterKey($0.key), ParameterValue.int($0.value))
            }
            json.member("repairs", .object(EventParameters(counts)))
            if let error { json.member("field", .string(error.field ?? "")) }
        }
    }

    /// Returns the report of a response to a batch, with its result.
    ///
    /// The report contains the start of the response's body, without control characters.
    static func attempt(
        _ response: HTTPResponse,
        _ result: BatchResult,
        for batch: OutgoingBatch,
        on lane: LaneID
    ) -> [UInt8] {
        line("attempt", lane) { json in
            json.key("ids")
            json.beginArray()
            for event in batch.events { json.id(event.id) }
            json.endArray()
            json.key("time")
            json.int(SystemClock().wallTime().microseconds)
            json.member("status", .int(response.status))
            json.member("result", .string(text(of: result)))
            let start = String(decoding: response.body.prefix(responseBytes), as: UTF8.self)
            json.member("answer", .string(String(start.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })))
        }
    }

    /// Returns the report of an event's status.
    static func status(_ status: EventStatus, of id: EventID, on lane: LaneID) -> [UInt8] {
        let (state, reason) =
            switch status {
            case .buffered, .queued, .sending(0): ("queued", "")
            case .onHold(let reasons): ("queued", "on hold: " + reasons.sorted().map(\.name).joined(separator: ", "))
            case .sending(let attempts): ("sending", "sent \(attempts) times")
            case .awaitingConsent: ("awaiting consent", "")
            case .quarantined(let reason): ("quarantined", reason)
            case .delivered: ("delivered", "")
            case .dropped(let reason): ("dropped", reason.name)
            }
        return line("status", lane) { json in
            json.key("id")
            json.id(id)
            json.member("state", .string(state))
            json.member("reason", .string(reason))
        }
    }

    /// Returns the report of a lane's state.
    static func lane(_ statistics: LaneStatistics, lostReports: Int) -> [UInt8] {
        let ledger = statistics.ledger
        return line("lane", statistics.id) { json in
            json.member("accepted", .int(ledger.accepted))
            json.member("delivered", .int(ledger.delivered))
            json.member("pending", .int(ledger.pending))
            json.member("quarantined", .int(ledger.quarantined))
            let dropped = ledger.dropped.map { ($0.key.name, $0.value) }.sorted { $0.0 < $1.0 }
            json.member("dropped", .object(EventParameters(dropped.map { (ParameterKey($0.0), .int($0.1)) })))
            if let cause = statistics.explanation { json.member("cause", .string(cause)) }
            if lostReports > 0 { json.member("lostReports", .int(lostReports)) }
        }
    }

    /// Returns a line, with a closure for its members.
    static func line(_ kind: String, _ lane: LaneID, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("kind", .string(kind))
        json.member("lane", .string(lane.description))
        members(&json)
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func text(of result: BatchResult) -> String {
        switch result {
        case .delivered: "delivered"
        case .partial(let events) where events.isEmpty: "delivered, with a warning"
        case .partial(let events): "all but \(events.count) delivered"
        case .retry: "sent again later"
        case .refused(let reason): "an event is refused: \(reason)"
        case .suspect(let reason): "an event is suspected: \(reason)"
        case .tooLarge: "too large, is split"
        case .paused(let reason): "the lane pauses: \(reason.rawValue)"
        }
    }
}
