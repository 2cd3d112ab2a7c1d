import Testing

@testable import EventInspector

@Suite struct CallTimelineTests {
    /// Deliveries as `a1`: the call, and the number of its service; each a tick after the one before, a dot is 6 ms.
    private static func entries(_ text: String) -> [CallTimeline.Entry] {
        var ticks: UInt64 = 1_000 << 12
        return text.split(separator: " ").enumerated().compactMap { index, word in
            guard word != "." else {
                ticks += 6 << 12
                return nil
            }
            ticks += 1
            let stamp = EventStamp(milliseconds: ticks >> 12, counter: ticks & 0xFFF)
            return CallTimeline.Entry(stamp: stamp, call: Int(word.dropFirst()) ?? 0, sighting: index)
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
    func `what follows in the plan's order is one call, unless a neighbour could claim a part`(
        deliveries: String,
        calls: [[Int]]
    ) {
        let entries = Self.entries(deliveries)

        for order in [entries, entries.reversed(), entries.shuffled()] {
            #expect(Self.groups(entries, in: order) == Set(calls))
        }
    }

    @Test func `what is removed belongs to nothing any more`() {
        let entries = Self.entries("a0 a1 b0 b1")
        var timeline = CallTimeline()
        for entry in entries { timeline.insert(entry) }

        timeline.remove { $0 == 0 || $0 == 1 }

        #expect(timeline.count == 2)
        #expect(timeline.calls(around: entries[0]).isEmpty)
        #expect(timeline.calls(around: entries[2]) == [[2, 3]])
    }
}
