import CoreTracker
import EventDelivery

/// Writes events as members of the wire's `events`, applying the rules on the way.
///
/// The parameters of an event are written in one pass: `event_id`, the event's own, the defaults that it does not
/// override, and the automatic ones that it does not set itself.
struct FirebaseEventWriter: Sendable {
    /// What is known of an event's parameters while they are written.
    private struct Progress {
        var freePlaces: Int
        var hasSessionID = false
        var hasEngagementTime = false
    }

    /// How old an event may be: 72 hours.
    private static let backdatingSeconds: Int64 = 72 * 60 * 60

    let rules: EventRules
    let items: ListRule?

    init(rules: EventRules) {
        self.rules = rules
        items = if case .lists(let lists) = rules.nesting { lists["items"] } else { nil }
    }

    /// Writes an event, or refuses it.
    func write(_ event: OutgoingEvent, now: Timestamp, into encoder: inout EventEncoder) throws(EventRefusal) {
        try rules.check(name: event.name)
        encoder.json.beginObject()
        encoder.json.key(fixed: "name")
        encoder.json.verbatim(event.name)
        writeTime(of: event, now: now, into: &encoder)
        encoder.json.key(fixed: "params")
        encoder.json.beginObject()
        encoder.json.key(fixed: "event_id")
        encoder.json.id(event.id)
        let session = SessionParameters(event.identity, maximumLength: rules.maximumTextLength)
        var progress = Progress(freePlaces: rules.maximumParameters - 2 - session.count)
        event.forEachParameter { write($0, &progress, into: &encoder) }
        session.write(withNumber: !progress.hasSessionID, into: &encoder)
        if !progress.hasEngagementTime {
            encoder.json.key(fixed: "engagement_time_msec")
            encoder.json.int(1)
        }
        encoder.json.endObject()
        encoder.json.endObject()
    }

    private func writeTime(of event: OutgoingEvent, now: Timestamp, into encoder: inout EventEncoder) {
        guard event.time <= now else { return encoder.repaired(.timestampInFuture) }
        let oldest = now.advanced(bySeconds: -FirebaseEventWriter.backdatingSeconds)
        if event.time < oldest { encoder.repaired(.timestampClamped) }
        encoder.json.key(fixed: "timestamp_micros")
        encoder.json.int(max(event.time, oldest).microseconds)
    }

    private func write(
        _ parameter: EventParameters.Element,
        _ progress: inout Progress,
        into encoder: inout EventEncoder
    ) {
        let name = parameter.key.name
        if name == "session_id" {
            progress.hasSessionID = writeAutomatic(parameter, into: &encoder)
        } else if name == "engagement_time_msec" {
            progress.hasEngagementTime = writeAutomatic(parameter, into: &encoder)
        } else if let fault = rules.key.fault(in: name) {
            encoder.repaired("key_\(fault.rawValue)")
        } else if progress.freePlaces <= 0 {
            encoder.repaired(.tooManyParameters)
        } else if write(parameter, into: &encoder) {
            progress.freePlaces -= 1
        }
    }

    /// Writes the event's own value of an automatic parameter, which must be a positive number.
    private func writeAutomatic(_ parameter: EventParameters.Element, into encoder: inout EventEncoder) -> Bool {
        let isPositive =
            switch parameter.value {
            case .int(let number): number > 0
            case .double(let number): number > 0 && number.isFinite
            case .string(let text): SessionParameters.isPositiveNumber(text)
            case .bool, .array, .object: false
            }
        guard isPositive else {
            encoder.repaired(.automaticParameterInvalid)
            return false
        }
        encoder.json.member(parameter.key.name, parameter.value)
        return true
    }

    private func write(_ parameter: EventParameters.Element, into encoder: inout EventEncoder) -> Bool {
        if parameter.key.name == "items", let items {
            writeItems(parameter.value, under: items, into: &encoder)
        } else {
            writeScalar(parameter.key.name, parameter.value, into: &encoder)
        }
    }
}

extension FirebaseEventWriter {
    /// Writes a parameter of text or number; answers whether anything is left of it.
    func writeScalar(_ name: String, _ value: ParameterValue, into encoder: inout EventEncoder) -> Bool {
        switch value {
        case .string(let text): return writeText(name, text, into: &encoder)
        case .int(let number):
            encoder.json.key(verbatim: name)
            encoder.json.int(number)
        case .double(let number) where number.isFinite:
            encoder.json.key(verbatim: name)
            encoder.json.double(number)
        case .bool(let flag):
            encoder.json.key(verbatim: name)
            encoder.json.int(flag ? 1 : 0)
        case .double:
            encoder.repaired(.valueNotFinite)
            return false
        case .array, .object:
            encoder.repaired(.valueNested)
            return false
        }
        return true
    }

    private func writeText(_ name: String, _ text: String, into encoder: inout EventEncoder) -> Bool {
        if text.utf8.count <= rules.maximumTextLength {
            guard !text.isEmpty || name != "transaction_id" else {
                encoder.repaired(.transactionIDEmpty)
                return false
            }
            encoder.json.key(verbatim: name)
            encoder.json.string(text)
            return true
        }
        let end = text.index(ofCutAt: rules.textLengths[name] ?? rules.maximumTextLength)
        guard end == text.endIndex || !name.hasSuffix("_id") else {
            encoder.repaired(.identifierTooLong)
            return false
        }
        if end < text.endIndex { encoder.repaired(.valueTooLong) }
        encoder.json.key(verbatim: name)
        encoder.json.string(String(text[..<end]))
        return true
    }
}

extension String {
    /// The end of the longest start that has at most so many UTF-16 units and cuts no character.
    fileprivate func index(ofCutAt limit: Int) -> String.Index {
        var end = startIndex
        var units = 0
        while end < endIndex {
            let next = index(after: end)
            units += utf16.distance(from: end, to: next)
            guard units <= limit else { return end }
            end = next
        }
        return end
    }
}

extension EventEncoder {
    /// Counts a repair.
    mutating func repaired(_ rule: FirebaseRule) {
        repaired(rule.rawValue)
    }
}
