import EventDelivery

extension DestinationContract.Subject {
    /// Returns copies of the sample event with different ids.
    func samples(_ count: Int) -> [OutgoingEvent] {
        (0..<count).map { index in
            var event = sample
            event.id = .stub(UInt16(truncatingIfNeeded: index + 1))
            return event
        }
    }

    func purity() -> [String] {
        func isSame<Answer: Equatable>(_ ask: () -> Answer?) -> Bool { ask() == ask() }
        let same = [
            ("lane", isSame { destination.lane }), ("purpose", isSame { destination.purpose }),
            ("limits", isSame { destination.limits }),
            ("encode", isSame { try? destination.encoded(sample).fragment }),
            ("batchKey", isSame { destination.batchKey(of: sample) }),
        ]
        return same.flatMap { member, isSame in
            Self.violation(unless: isSame, "\(member) returns different results if it is called again")
        }
    }

    func goldenBodies() -> [String] {
        if bodies.isEmpty { return ["there is no golden body"] }
        return bodies.flatMap { golden -> [String] in
            do throws(EventEncodingError) {
                let body = String(decoding: try destination.request(carrying: golden.events).body, as: UTF8.self)
                return Self.violation(
                    unless: Self.lines(of: body) == Self.lines(of: golden.text),
                    "\(golden.name) \(Self.difference(of: Array(body.utf8), from: Array(golden.text.utf8)))"
                )
            } catch {
                return ["\(golden.name): an event is refused by the rule \(error.rule)"]
            }
        }
    }

    func limitsKept() -> [String] {
        limits.flatMap { limit in
            [limit.maximum - 1, limit.maximum, limit.maximum + 1].flatMap { size -> [String] in
                let rules = destination.rulesBroken(by: limit.event(size))
                let isBroken = rules.contains(limit.rule)
                let isOver = size > limit.maximum
                let found = rules.isEmpty ? "is taken as it is" : "breaks \(rules.sorted().joined(separator: ", "))"
                return Self.violation(
                    unless: isOver ? isBroken : rules.isEmpty,
                    "\(limit.rule): \(size) \(found), the limit is \(limit.maximum)"
                )
            }
        }
    }

    func framing() -> [String] {
        let limits = destination.limits
        guard let batch = try? destination.batch(of: samples(limits.events)) else { return [] }
        let surplus = destination.request(for: batch).body.count - batch.events.reduce(0) { $0 + $1.fragment.count }
        return Self.violation(
            unless: surplus <= limits.framingBytes,
            "\(limits.events) events have \(surplus) bytes around them, \(limits.framingBytes) are reserved"
        )
            + Self.violation(
                unless: limits.eventBytes <= limits.bodyBytes - limits.framingBytes,
                "an event of \(limits.eventBytes) bytes fits into no body"
            )
    }

    /// Returns the bytes of a text without its final line feed, which many editors add to a file.
    private static func lines(of text: String) -> [UInt8] {
        text.utf8.last == UInt8(ascii: "\n") ? Array(text.utf8.dropLast()) : Array(text.utf8)
    }

    private static func difference(of body: [UInt8], from golden: [UInt8]) -> String {
        let start = zip(body, golden).prefix { $0 == $1 }.count
        func excerpt(_ bytes: [UInt8]) -> String {
            String(decoding: bytes.dropFirst(max(0, start - 20)).prefix(60), as: UTF8.self)
        }
        return "differs at byte \(start): …\(excerpt(body))… instead of …\(excerpt(golden))…"
    }
}
