import Testing

@testable import EventInspector

@Suite struct CallTimelineTests {
    /// Creates deliveries from a text such as `a1`: the call and the number of its service.
    ///
    /// Each delivery is one tick after the previous one. A dot is a pause of 21 ms.
    private static func entries(_ text: String) -> [CallTimeline.Entry] {
        var ticks: UInt64 = 1_000 << 12
        return text.split(separator: " ").enumerated().compactMap { index, word in
            guard word != "." else {
                ticks += 21 << 12
                return nil
            }
            ticks += 1
            let stamp = EventStamp(milliseconds: ticks >> 12, counter: ticks & 0xFFF)
            let service = "s\(word.dropFirst())"
            let call = Int(word.dropFirst())
            return CallTimeline.Entry(stamp: stamp, service: service, product: nil, call: call, sighting: index)
        }
    }

    private static func groups(_ entries: [CallTimeline.Entry], in order: [CallTimeline.Entry]) -> Set<[Int]> {
        var timeline = CallTimeline()
        for entry in order { timeline.insert(entry) }
        return Set(entries.flatMap { timeline.calls(around: $0) })
    }

    @Test(arguments: [
        ("a0 a1", [[0, 1]]),
        ("a0 a1 b0 b1", [[0, 1], [2, 3]]),
        ("a0 a1 a2 b0 b1 b2", [[0, 1, 2], [3, 4, 5]]),
        ("a0 . a1", [[0], [2]]),
        ("a0 b0 a1 b1", [[0], [1], [2], [3]]),
        ("a0 b0 b1 a1", [[0], [1], [2], [3]]),
        ("a0 b0 b1", [[0], [1], [2]]),
        ("a0 . b0 b1", [[0], [2, 3]]),
        ("a1 b0 b1", [[0], [1, 2]]),
        ("a0 a1 b1", [[0], [1], [2]]),
    ])
    func `deliveries in the plan's order are one call, unless they could belong to a neighbor`(
        deliveries: String,
        calls: [[Int]]
    ) {
        let entries = Self.entries(deliveries)

        for order in [entries, entries.reversed(), entries.shuffled()] {
            #expect(Self.groups(entries, in: order) == Set(calls))
        }
    }

    /// Creates unplanned deliveries from a text such as `f` or `XY/f`: the service, and the product if it is known.
    private static func unplanned(_ text: String) -> [CallTimeline.Entry] {
        let words = text.split(separator: " ")
        return zip(entries(words.map { $0 == "." ? "." : "a0" }.joined(separator: " ")), words.filter { $0 != "." })
            .map { entry, word in
                let parts = word.split(separator: "/").map(String.init)
                return CallTimeline.Entry(
                    stamp: entry.stamp,
                    service: parts.last ?? "",
                    product: parts.count > 1 ? parts[0] : nil,
                    call: nil,
                    sighting: entry.sighting
                )
            }
    }

    @Test(arguments: [
        ("f a", [[0, 1]]),
        ("f a b", [[0, 1, 2]]),
        ("f a f a", [[0, 1], [2, 3]]),
        ("f f f", [[0], [1], [2]]),
        ("f . a", [[0], [2]]),
        ("f a . f a", [[0, 1], [3, 4]]),
        ("f f a a", [[0], [1], [2], [3]]),
        ("f a f", [[0], [1], [2]]),
        ("f f a", [[0, 1, 2]]),
        ("a f f f b", [[0, 1, 2, 3, 4]]),
        ("a f f a", [[0], [1], [2], [3]]),
        ("XY/f XY/f AC/a", [[0], [1], [2]]),
        ("XY/f XY/a", [[0, 1]]),
        ("f XY/a", [[0, 1]]),
        ("XY/f AC/a", [[0], [1]]),
    ])
    func `without a plan, close deliveries are one call if the services differ or one receives several`(
        deliveries: String,
        calls: [[Int]]
    ) {
        let entries = Self.unplanned(deliveries)

        for order in [entries, entries.reversed(), entries.shuffled()] {
            #expect(Self.groups(entries, in: order) == Set(calls))
        }
    }

    @Test func `deliveries in an unplanned burst stay separate`() {
        let entries = Self.unplanned(Array(repeating: "f a", count: 60).joined(separator: " "))

        #expect(Self.groups(entries, in: entries) == Set((0..<120).map { [$0] }))
    }

    @Test func `removed deliveries belong to no call`() {
        let entries = Self.entries("a0 a1 b0 b1")
        var timeline = CallTimeline()
        for entry in entries { timeline.insert(entry) }

        timeline.remove { $0 == 0 || $0 == 1 }

        #expect(timeline.count == 2)
        #expect(timeline.calls(around: entries[0]).isEmpty)
        #expect(timeline.calls(around: entries[2]) == [[2, 3]])
    }
}
