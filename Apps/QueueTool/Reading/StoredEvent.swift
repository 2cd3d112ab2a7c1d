import CoreTracker
import EventDelivery
import EventOutbox

/// An event that a queue holds.
struct StoredEvent {
    /// Where it is on its way.
    enum State {
        /// The states' names.
        enum Name: String, Sendable {
            case pending, held, quarantined
        }

        /// It may be sent, alone or in a batch.
        case pending(StoredBatch?)
        /// It waits for the user's consent.
        case held
        /// Its receiver has refused it.
        case quarantined(QuarantinedEvent)
    }

    let id: EventID
    let lane: LaneID
    /// Its number in the lane; `nil` where that is not known, as in quarantine.
    let number: Int64?
    /// When it was stored; `nil` where that is not known.
    let stored: Timestamp?
    let state: State
    /// The bytes that are sent for it.
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

    /// When it was tracked, as its id says, to a millisecond.
    var tracked: Timestamp {
        Timestamp(microseconds: Int64(clamping: id.high >> 16).multipliedReportingOverflow(by: 1_000).0)
    }

    /// The event's name, by the member in which the services write it.
    var name: String? {
        guard let members = JSONReader.object(in: fragment) else { return nil }
        for key in StoredEvent.nameKeys { if case .string(let name) = members[key] { return name } }
        return nil
    }

    private static let nameKeys: [ParameterKey] = ["name", "eventName", "event", "eventType"]

    /// The state in words for people.
    var stateText: String {
        switch state {
        case .pending(nil): "pending"
        case .pending(let batch?): "pending, \(batch.attempts.attemptsText)"
        case .held: "held: waits for the user's consent"
        case .quarantined(let event): "quarantined: \(event.reason.printable)"
        }
    }

    /// The name of the state.
    var stateName: State.Name {
        switch state {
        case .pending: .pending
        case .held: .held
        case .quarantined: .quarantined
        }
    }

    /// Writes the event as an object of JSON; its body as it is, where it is an object itself.
    func write(to json: inout JSONWriter, body: Bool) {
        json.beginObject()
        json.member("lane", .string(lane.description))
        json.key(fixed: "id")
        json.id(id)
        if !body, let name { json.member("name", .string(name)) }
        json.member("state", .string(stateName.rawValue))
        switch state {
        case .pending(let batch):
            if let batch {
                json.member("batch", .string(batch.id.description))
                json.member("attempts", .int(batch.attempts))
            }
        case .held: break
        case .quarantined(let event):
            json.member("reason", .string(event.reason))
            json.member("answer", .string(event.answer))
            json.member("refused", .string(event.time.rfc3339))
        }
        if let number { json.member("number", .int(Int(number))) }
        json.member("tracked", .string(tracked.rfc3339))
        if body {
            json.key(fixed: "body")
            if fragment.first == UInt8(ascii: "{"), fragment.last == UInt8(ascii: "}") {
                json.raw(fragment)
            } else {
                json.string(String(decoding: fragment, as: UTF8.self))
            }
        }
        json.endObject()
    }
}

extension Int {
    /// A number of attempts in words.
    var attemptsText: String {
        switch self {
        case 0: "its batch has not been sent"
        case 1: "sent once without an acknowledgement"
        default: "sent \(self) times without an acknowledgement"
        }
    }
}

extension String {
    /// The text with its control characters escaped.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: text += scalar.escaped(asASCII: true)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text with blanks behind it up to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
