import CoreTracker
import EventDelivery
import Foundation
import LoopbackCollector

extension DestinationContract.Subject {
    private static let texts = [
        "", " ", "\"", "\\", "\u{0}", "\u{1F}\r\n\t\u{7F}", "\u{2028}\u{2029}", "\u{FEFF}", "e\u{301}é", "👩‍👩‍👧🇳🇱",
        "عربي",
        "\"},{\"name\":\"forged\"}", "\"]},", "a\nb", "\r\nX-Forged: 1", "</script>", "'; DROP TABLE events; --",
        "%00%0A&api_secret=x#", String(repeating: "ü", count: 3_000),
    ]

    private static let numbers: [ParameterValue] = [
        .double(.nan), .double(.infinity), .double(-.infinity), .double(-0.0), .double(1e308), .int(.min), .int(.max),
    ]

    func hostileText() -> [String] {
        var violations = Set<String>()
        for (text, event) in hostileEvents {
            violations.formUnion(self.violations(in: event, with: text))
        }
        violations.formUnion(Self.texts.flatMap(violationsInValue))
        return violations.sorted()
    }

    /// Events with hostile texts in each of their parts, and with extreme numbers.
    var hostileEvents: [(text: String, event: OutgoingEvent)] {
        Self.texts.flatMap(hostileEvents) + Self.numbers.map { ("a number", sample(with: $0)) }
    }

    /// Returns events that contain a text in each of their parts.
    private func hostileEvents(_ text: String) -> [(String, OutgoingEvent)] {
        var named = sample
        named.name = text
        var keyed = sample
        keyed.parameters[ParameterKey(text)] = .string(text)
        var user = sample
        user.identity.userID = text
        var session = sample
        session.identity.sessionID = text
        var device = sample
        device.identity.deviceID = text
        let nested: ParameterValue = ["k": [.string(text), .object([ParameterKey(text): .string(text)])]]
        return [named, keyed, user, session, device, sample(with: nested)].map { (text, $0) }
    }

    private func sample(with value: ParameterValue) -> OutgoingEvent {
        var event = sample
        event.parameters["text"] = value
        return event
    }

    /// Checks a request with two copies of an event.
    private func violations(in event: OutgoingEvent, with text: String) -> [String] {
        var second = event
        second.id = .stub(2)
        do throws(EventEncodingError) {
            let rules = try destination.encoded(event).adjustments.keys
            let request = try destination.request(carrying: [event, second])
            let plain = destination.request(for: try destination.batch(of: samples(2)))
            return rules.flatMap { isName($0) }
                + Self.violation(
                    unless: Self.documents(in: plain.body) == nil
                        || Self.documents(in: request.body)?.count == Self.documents(in: plain.body)?.count,
                    "\(Self.quoted(text)) breaks the body"
                )
                + Self.violation(
                    unless: request.headers.map(\.name) == plain.headers.map(\.name)
                        && request.url.host() == plain.url.host() && request.url.path() == plain.url.path(),
                    "\(Self.quoted(text)) changes the address or adds a header"
                )
        } catch {
            return isName(error.rule)
        }
    }

    /// Checks a text as a parameter's value: it must arrive, or an adjustment must be counted.
    private func violationsInValue(_ text: String) -> [String] {
        let event = sample(with: .string(text))
        guard let encoded = try? destination.encoded(event), encoded.adjustments.isEmpty,
            let body = try? destination.request(carrying: [event]).body, let documents = Self.documents(in: body),
            let plain = try? destination.request(carrying: [sample(with: "plain")]).body,
            let expected = Self.documents(in: plain)
        else { return [] }
        return Self.violation(
            unless: documents.contains { $0.holds(text) },
            "\(Self.quoted(text)) is lost or changed, and no adjustment is counted"
        )
            + Self.violation(
                unless: documents.map(\.skeleton) == expected.map(\.skeleton),
                "\(Self.quoted(text)) as a value changes the members of the body"
            )
    }

    private func isName(_ rule: String) -> [String] {
        Self.violation(
            unless: !rule.isEmpty && rule.utf8.allSatisfy { $0 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F },
            "the rule \(Self.quoted(rule)) is not a stable name in snake case"
        )
    }

    /// Returns the JSON texts of a body, which is one JSON text or consists of one per line.
    private static func documents(in body: [UInt8]) -> [CollectedValue]? {
        if let whole = CollectedValue(body) { return [whole] }
        let lines = body.split(separator: UInt8(ascii: "\n")).map { CollectedValue(Array($0)) }
        return lines.isEmpty || lines.contains(nil) ? nil : lines.compactMap(\.self)
    }

    static func quoted(_ text: String) -> String {
        "\"" + text.prefix(24).unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
    }
}

extension CollectedValue {
    /// Returns whether a text is a value, even in a string that contains JSON.
    fileprivate func holds(_ text: String) -> Bool {
        switch self {
        case .string(let string): string == text || CollectedValue(Array(string.utf8))?.holdsInside(text) == true
        default: holdsInside(text)
        }
    }

    private func holdsInside(_ text: String) -> Bool {
        switch self {
        case .array(let elements): elements.contains { $0.holds(text) }
        case .object(let members): members.values.contains { $0.holds(text) }
        default: false
        }
    }

    /// The structure of the value, without its scalar values.
    fileprivate var skeleton: CollectedValue {
        switch self {
        case .array(let elements): .array(elements.map(\.skeleton))
        case .object(let members): .object(members.mapValues(\.skeleton))
        default: .null
        }
    }
}
