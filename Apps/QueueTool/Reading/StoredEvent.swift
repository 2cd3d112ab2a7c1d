import CoreTracker
import EventDelivery
import EventOutbox
import Foundation

/// A stored event of a queue.
struct StoredEvent {
    /// The state of the event.
    enum State {
        /// The names of the states.
        enum Name: String, Sendable {
            case queued, quarantined
            case awaitingConsent = "awaiting-consent"
        }

        /// The event may be sent, alone or in a batch.
        case queued(StoredBatch?)
        /// The event waits for the user's consent.
        case awaitingConsent
        /// The receiver has refused the event.
        case quarantined(QuarantinedEvent)
    }

    let id: EventID
    let lane: LaneID
    /// The sequence number in the lane, or `nil` if it is unknown, as in quarantine.
    let number: Int64?
    /// The time at which the event was stored, or `nil` if it is unknown.
    let stored: Timestamp?
    let state: State
    /// The encoded event, as it is sent.
    let fragment: ArraySlice<UInt8>
}

extension StoredEvent {
    init(_ event: QuarantinedEvent) {
        self.init(
            id: event.id,
            lane: event.lane,
            number: nil,
            stored: nil,
            state: .quarantined(event),
            fragment: event.fragment[...]
        )
    }

    /// The time at which the event was tracked, from its id, to a millisecond.
    var tracked: Timestamp {
        Timestamp(microseconds: Int64(clamping: id.high >> 16).multipliedReportingOverflow(by: 1_000).0)
    }

    /// The event's name, from the member in which the services write it.
    var name: String? {
        guard let members = JSONReader.object(in: fragment) else { return nil }
        for key in StoredEvent.nameKeys { if case .string(let name) = members[key] { return name } }
        return nil
    }

    private static let nameKeys: [ParameterKey] = ["name", "eventName", "event", "eventType"]

    /// A readable description of the state.
    var stateText: String {
        switch state {
        case .queued(nil): "queued"
        case .queued(let batch?): "queued, \(batch.attempts.attemptsText)"
        case .awaitingConsent: "awaiting consent"
        case .quarantined(let event): "quarantined: \(event.reason)"
        }
    }

    /// The name of the state.
    var stateName: State.Name {
        switch state {
        case .queued: .queued
        case .awaitingConsent: .awaitingConsent
        case .quarantined: .quarantined
        }
    }

    /// Whether the body is one line with a JSON object.
    private var isObject: Bool {
        fragment.first == UInt8(ascii: "{") && !fragment.contains { $0 < 0x20 }
            && (try? JSONSerialization.jsonObject(with: Data(fragment))) != nil
    }

    /// Writes the event as a JSON object.
    ///
    /// If the body is a JSON object, it is written unchanged. Any other body is written as text.
    func write(to json: inout JSONWriter, body: Bool, cause: String? = nil) {
        json.beginObject()
        json.member("lane", .string(lane.description))
        json.key(fixed: "id")
        json.id(id)
        if !body, let name { json.member("name", .string(name)) }
        json.member("state", .string(stateName.rawValue))
        if let cause { json.member("cause", .string(cause)) }
        switch state {
        case .queued(let batch):
            if let batch {
                json.member("batch", .string(batch.id.description))
                json.member("attempts", .int(batch.attempts))
            }
        case .awaitingConsent: break
        case .quarantined(let event):
            json.member("reason", .string(event.reason))
            json.member("answer", .string(event.response))
            json.member("refused", .string(event.time.rfc3339))
        }
        if let number { json.member("number", .int(Int(number))) }
        json.member("tracked", .string(tracked.rfc3339))
        if body {
            json.key(fixed: "body")
            if isObject {
                json.raw(fragment)
            } else {
                json.string(String(decoding: fragment, as: UTF8.self))
            }
        }
        json.endObject()
    }
}

extension Int {
    /// A readable number of attempts.
    var attemptsText: String {
        switch self {
        case 0: "its batch has not been sent"
        case 1: "sent once without an acknowledgement"
        default: "sent \(self) times without an acknowledgement"
        }
    }
}
