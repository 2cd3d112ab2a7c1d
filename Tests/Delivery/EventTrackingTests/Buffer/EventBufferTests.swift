import CoreTracker
import Dispatch
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import Testing

@testable import EventTracking

@Suite struct EventBufferTests {
    private let clock = TestClock()

    @Test func `an event keeps the values at the time of tracking`() {
        let buffer = makeBuffer()
        let lane = buffer.lane

        buffer.identity.change { $0.userID = "ali" }
        lane.track("first", parameters: [:])
        buffer.identity.change { $0.userID = "veli" }
        clock.advance(by: .seconds(1))
        lane.track("second", parameters: [:])

        let entries = buffer.takeAll()
        #expect(entries.map(\.name) == ["first", "second"])
        #expect(entries.map(\.identity.identity.userID) == ["ali", "veli"])
        #expect(entries[0].time < entries[1].time)
        #expect(entries[0].id < entries[1].id)
    }

    @Test func `the app can set the time of events`() {
        let time = Timestamp(microseconds: 1_000_000)
        let buffer = makeBuffer { time }

        buffer.lane.track("replayed", parameters: [:])

        #expect(buffer.now == time)
        #expect(buffer.takeAll().map(\.time) == [time])
    }

    @Test func `the app's closure for the event time may read the engine's identity`() {
        let known = KnownBuffer()
        let buffer = makeBuffer { known.sessionStart }
        let start = buffer.identity.value.sessionStart
        known.buffer.withLock { $0 = buffer }

        buffer.lane.track("replayed", parameters: [:])

        #expect(buffer.takeAll().map(\.time) == [start])
    }

    @Test(arguments: [0, -1])
    func `a capacity below 1 is 1`(capacity: Int) {
        let buffer = makeBuffer(capacity: capacity)

        buffer.lane.track("first", parameters: [:])
        buffer.lane.track("second", parameters: [:])

        #expect(buffer.ledgers.map(\.ledger.pending) == [1])
        #expect(buffer.ledgers.map(\.ledger.dropped) == [[.bufferFull: 1]])
    }

    @Test(arguments: [
        (TrackOptions.Priority.low, 3_072), (.normal, 3_584), (.high, 4_096),
    ])
    func `events of a priority fill their share of the buffer, and later ones are dropped and counted`(
        priority: TrackOptions.Priority,
        share: Int
    ) {
        let buffer = makeBuffer(capacity: 4_096)

        for _ in 1...5_000 { track(priority, by: buffer) }

        #expect(buffer.unstoredCount == share)
        #expect(buffer.ledgers.map(\.ledger.dropped) == [[.bufferFull: 5_000 - share]])
    }

    @Test func `after a flood of each lower priority, important events of all threads find room`() async {
        let buffer = makeBuffer(capacity: 64)
        await Threads.run(8) { _ in for _ in 1...8 { track(.low, by: buffer) } }
        await Threads.run(8) { _ in for _ in 1...8 { track(.normal, by: buffer) } }

        await Threads.run(8) { _ in track(.high, by: buffer) }

        let kept: [(TrackOptions.Priority, Int)] = [(.low, 48), (.normal, 8), (.high, 8)]
        let priorities = kept.flatMap { Array(repeating: $0, count: $1) }
        #expect(buffer.ledgers.map(\.ledger.dropped) == [[.bufferFull: 72]])
        #expect(buffer.takeAll().map(\.options.priority).sorted() == priorities)
    }

    @Test func `a buffer for one event takes one of any priority`() {
        for priority in TrackOptions.Priority.allCases {
            let buffer = makeBuffer(capacity: 1)
            track(priority, by: buffer)
            #expect(buffer.unstoredCount == 1)
        }
    }

    @Test func `many buffered events are taken in several groups, in the order of their ids`() async {
        let buffer = makeBuffer(capacity: 100_000)
        let lane = buffer.lane
        // In turns, because threads that run one after another fill larger groups.
        for _ in 1...25 { await Threads.run(8) { _ in for _ in 1...100 { lane.track("viewed", parameters: [:]) } } }

        let groups = (1...60).map { _ in buffer.takeAll().map(\.id) }.filter { !$0.isEmpty }

        #expect((8...50).contains(groups.count))
        #expect(groups.joined().count == 20_000)
        #expect(zip(groups.joined(), groups.joined().dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `a group has about a thousand events at most, because each may be a row of its own`() {
        let buffer = makeBuffer(capacity: 100_000)
        for _ in 1...10_000 { buffer.lane.track("viewed", parameters: [:]) }

        let counts = (1...10).map { _ in buffer.takeAll().count }

        #expect(counts.reduce(0, +) == 10_000)
        #expect(counts.allSatisfy { $0 <= 1_100 })
    }

    @Test func `capacity is returned when a group is stored`() {
        let buffer = makeBuffer(capacity: 1)
        buffer.lane.track("first", parameters: [:])
        let group = buffer.takeGroup(all: true, now: clock.monotonicTime())
        buffer.lane.track("refused", parameters: [:])

        buffer.publish([], storing: group)
        buffer.lane.track("second", parameters: [:])

        #expect(buffer.takeAll().map(\.name) == ["second"])
    }

    @Test func `a refusal is always in the ledger, and is taken by the writer once`() {
        let buffer = makeBuffer(capacity: 1)
        buffer.lane.track("first", parameters: [:])
        buffer.lane.track("refused", parameters: [:])

        let first = buffer.takeGroup(all: true, now: clock.monotonicTime())
        let second = buffer.takeGroup(all: true, now: clock.monotonicTime())
        var stored = LaneLedger()
        stored.accepted = 2
        stored.drop(1, .bufferFull)
        let before = buffer.ledgers.map(\.ledger)
        buffer.publish([(lane: 0, ledger: stored, status: LaneStatus())], storing: first)

        #expect(first.refused == [0: [.bufferFull: 1]])
        #expect(second.isEmpty)
        #expect(before == [stored])
        #expect(buffer.ledgers.map(\.ledger) == [stored])
    }

    @Test func `a denial removes the lane's buffered events, and returns their receipts`() async {
        let buffer = makeBuffer()
        _ = buffer.lane

        let receipt = await withCheckedContinuation { continuation in
            buffer.accept(
                lane: 0,
                id: LineDestination().lane,
                consent: LaneConsent(),
                name: "held",
                parameters: [:],
                defaults: [:],
                options: TrackOptions(),
                receipt: PendingReceipt(continuation)
            )
            buffer.decide(.denied, about: .analytics)
        }

        #expect(receipt.dropReason == .consentDenied)
        #expect(buffer.unopenedStatistics.map(\.ledger.dropped) == [[.consentDenied: 1]])
        #expect(FlushReporter(buffer: buffer).report(nil).lanes.map(\.pending) == [0])
    }

    @Test func `when the engine closes, buffered events are removed and counted, and receipts return`() async {
        let buffer = makeBuffer()

        async let receipt = buffer.lane.trackUntilStored("left", parameters: [:])
        while buffer.unstoredCount == 0 { await Task.yield() }
        buffer.giveUpBuffered()

        #expect(await receipt.dropReason == .closed)
        #expect(buffer.unstoredCount == 0)
        #expect(buffer.ledgers.map(\.ledger.dropped) == [[.closed: 1]])
    }

    // If the writer is not woken, the test waits forever.
    @Test(.timeLimit(.minutes(5)))
    func `an event wakes the waiting writer even if another caller has taken a group in between`() async {
        let buffer = makeBuffer()
        buffer.acceptEvents(sessions: SessionRules(timeout: nil, maximum: nil), deviceID: "d")

        #expect(buffer.takeAll().isEmpty)
        _ = buffer.shards[0].withState { $0.refuse(lane: 0, .bufferFull, now: MonotonicInstant(nanoseconds: 0)) }
        _ = buffer.lane
        #expect(!buffer.takeGroup(all: true, now: clock.monotonicTime()).isEmpty)
        buffer.lane.track("next", parameters: [:])

        await buffer.wake.wait()
        #expect(buffer.unstoredCount == 1)
    }

    @Test func `events are stored in the order of tracking, across threads`() async {
        let buffer = makeBuffer(capacity: 100_000)
        let lane = buffer.lane
        let turns = (0..<4).map { DispatchSemaphore(value: $0 == 0 ? 1 : 0) }
        let isDone = Atomic(false)
        let taken = Mutex<[Int]>([])

        await Threads.run(5) { thread in
            if thread == 4 {
                // This thread takes groups continuously while the others track in turn.
                while !isDone.load(ordering: .acquiring) { taken.withLock { $0 += numbers(of: buffer) } }
                while buffer.hasBuffered(upTo: buffer.ids.latest) { taken.withLock { $0 += numbers(of: buffer) } }
                return
            }
            for round in 0..<5_000 {
                turns[thread].wait()
                lane.track("turn", parameters: ["number": .int(round * 4 + thread)])
                turns[(thread + 1) % 4].signal()
            }
            if thread == 3 { isDone.store(true, ordering: .releasing) }
        }

        #expect(taken.withLock { $0 } == Array(0..<20_000))
    }

    private func makeBuffer(capacity: Int = 10, eventTime: (@Sendable () -> Timestamp)? = nil) -> EventBuffer {
        let buffer = EventBuffer(clock: clock, eventTime: eventTime, capacity: capacity)
        buffer.open()
        return buffer
    }

    private func numbers(of buffer: EventBuffer) -> [Int] {
        buffer.takeAll().compactMap { entry in
            if case .int(let number) = entry.parameters["number"] { number } else { nil }
        }
    }

    private func track(_ priority: TrackOptions.Priority, by buffer: EventBuffer) {
        buffer.lane.track("viewed", parameters: [:], options: TrackOptions(priority: priority))
    }
}

/// A box for the buffer that its own closure for the event time reads.
private final class KnownBuffer: Sendable {
    let buffer = Mutex<EventBuffer?>(nil)

    var sessionStart: Timestamp {
        buffer.withLock { $0 }?.identity.value.sessionStart ?? Timestamp(microseconds: 0)
    }
}
