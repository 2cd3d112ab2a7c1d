import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@testable import EventTracking

/// Tests for the buffer's capacity, and for the events that `track` refuses.
@Suite struct BufferCapacityTests {
    private let clock = TestClock()

    @Test func `texts of a megabyte each do not exceed the buffer's size in bytes`() {
        let buffer = makeBuffer(events: 8_192)

        let text = String(repeating: "x", count: 1_000_000)

        for number in 0..<2_000 {
            buffer.lane.track("viewed", parameters: ["text": .string(text + "\(number)")])
        }

        let ledger = buffer.ledgers[0].ledger
        #expect((8...16).contains(ledger.pending))
        #expect(ledger.dropped == [.bufferBytes: 2_000 - ledger.pending])
    }

    @Test(arguments: ["name", "key", "value", "nested", "default", "numbers"])
    func `an event that exceeds every destination's limit is refused, wherever its text is`(place: String) {
        let (buffer, text) = (makeBuffer(), String(repeating: "x", count: (1 << 20) + 1))
        let lane = buffer.lane

        switch place {
        case "name": lane.track(text, parameters: [:])
        case "key": lane.track("e", parameters: EventParameters([(ParameterKey(text), .int(1))]))
        case "value": lane.track("e", parameters: ["k": .string(text)])
        case "nested": lane.track("e", parameters: ["k": .array([.object(["k": .string(text)])])])
        case "numbers": lane.track("e", parameters: ["k": .array(Array(repeating: .int(1), count: 100_000))])
        default: lane.track("e", parameters: [:], defaults: ["k": .string(text)])
        }

        #expect(buffer.ledgers[0].ledger.dropped == [.tooLarge: 1])
        #expect(buffer.room.events == 0)
    }

    @Test func `too deep or too many parameters are refused with a reason, even as defaults`() {
        let buffer = makeBuffer()
        let lane = buffer.lane
        let deep: EventParameters = ["d": (0..<3_000).reduce(ParameterValue.string("x")) { value, _ in [value] }]
        let many = EventParameters((0..<100_000).map { (ParameterKey("k\($0)"), .int($0)) })

        for parameters in [deep, many] {
            lane.track("own", parameters: parameters)
            lane.track("default", parameters: [:], defaults: parameters)
            lane.track("nested", parameters: ["n": [.object(parameters)]])
        }
        lane.track("sound", parameters: ["n": 1])

        #expect(buffer.ledgers[0].ledger.dropped == [.tooDeep: 3, .tooManyParameters: 3])
        #expect(buffer.ledgers[0].ledger.pending == 1)
    }

    @Test func `events of a priority fill their share of the bytes`() {
        let buffer = makeBuffer(bytes: 10_000)

        for _ in 1...3 { track(3_000, .low, by: buffer) }
        track(2_500, .normal, by: buffer)
        track(1_250, .normal, by: buffer)
        track(1_000, .high, by: buffer)

        #expect(buffer.ledgers[0].ledger.pending == 4)
        #expect(buffer.ledgers[0].ledger.dropped == [.bufferBytes: 2])
    }

    @Test func `capacity is returned if events are stored, refused or removed`() {
        let buffer = makeBuffer(bytes: 10_000)
        track(8_000, .normal, by: buffer)
        let group = buffer.takeGroup(all: true, now: clock.monotonicTime())
        track(8_000, .normal, by: buffer)
        buffer.publish([], storing: group)
        track(8_000, .normal, by: buffer)
        buffer.decide(.denied, about: .analytics)
        buffer.decide(.granted, about: .analytics)
        track(8_000, .normal, by: buffer)

        #expect(group.count == 1)
        #expect(buffer.ledgers[0].ledger.dropped == [.bufferBytes: 1, .consentDenied: 1])
        #expect(buffer.room.events == 1)
    }

    private func makeBuffer(events: Int = 10, bytes: Int? = nil) -> EventBuffer {
        let buffer = EventBuffer(clock: clock, eventTime: nil, capacity: events, byteCapacity: bytes)
        buffer.open()
        return buffer
    }

    private func track(_ bytes: Int, _ priority: TrackOptions.Priority, by buffer: EventBuffer) {
        buffer.lane.track(
            "e",
            parameters: ["t": .string(String(repeating: "x", count: bytes))],
            options: TrackOptions(priority: priority)
        )
    }
}
