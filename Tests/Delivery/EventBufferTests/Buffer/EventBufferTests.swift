import CoreTracker
import Dispatch
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import Testing

@testable import EventBuffer

@Suite struct EventBufferTests {
    private let clock = TestClock()

    @Test func `an event keeps the values at the time of tracking`() {
        let intake = makeBuffer()
        let lane = intake.lane

        intake.identity.change { $0.userID = "ali" }
        lane.track("first", parameters: [:])
        intake.identity.change { $0.userID = "veli" }
        clock.advance(by: .seconds(1))
        lane.track("second", parameters: [:])

        let entries = takeAll(of: intake)
        #expect(entries.map(\.name) == ["first", "second"])
        #expect(entries.map(\.identity.identity.userID) == ["ali", "veli"])
        #expect(entries[0].time < entries[1].time)
        #expect(entries[0].id < entries[1].id)
    }

    @Test func `the app can set the time of events`() {
        let time = Timestamp(microseconds: 1_000_000)
        let intake = makeBuffer { time }

        intake.lane.track("replayed", parameters: [:])

        #expect(intake.now == time)
        #expect(takeAll(of: intake).map(\.time) == [time])
    }

    @Test func `the app's closure for the event time may read the engine's identity`() {
        let known = KnownBuffer()
        let intake = makeBuffer { known.sessionStart }
        let start = intake.identity.value.sessionStart
        known.intake.withLock { $0 = intake }

        intake.lane.track("replayed", parameters: [:])

        #expect(takeAll(of: intake).map(\.time) == [start])
    }

    @Test(arguments: [0, -1])
    func `a capacity below 1 is 1`(capacity: Int) {
        let intake = makeBuffer(capacity: capacity)

        intake.lane.track("first", parameters: [:])
        intake.lane.track("second", parameters: [:])

        #expect(intake.ledgers.map(\.ledger.pending) == [1])
        #expect(intake.ledgers.map(\.ledger.dropped) == [[.bufferFull: 1]])
    }

    @Test func `a full buffer evicts and counts its newest event of a lower priority`() {
        let intake = makeBuffer(capacity: 4)
        for priority in [.normal, .low, .low, .high] as [TrackOptions.Priority] { track(priority, by: intake) }

        for _ in 1...4 { track(.high, by: intake) }

        #expect(intake.ledgers.map(\.ledger.dropped) == [[.bufferFull: 4]])
        #expect(takeAll(of: intake).map(\.options.priority) == [.high, .high, .high, .high])
    }

    @Test func `an event can evict a less important one of another thread`() async {
        let intake = makeBuffer(capacity: 64)
        await onThreads(8) { _ in for _ in 1...8 { track(.low, by: intake) } }

        await onThreads(8) { _ in for _ in 1...8 { track(.high, by: intake) } }

        #expect(intake.unstoredCount == 64)
        #expect(intake.ledgers.map(\.ledger.dropped) == [[.bufferFull: 64]])
        #expect(takeAll(of: intake).allSatisfy { $0.options.priority == .high })
    }

    @Test func `events that left the buffer otherwise are not evicted later`() {
        let intake = makeBuffer(capacity: 2)
        track(.low, by: intake)
        let taken = takeAll(of: intake)
        track(.low, by: intake)
        intake.say(.denied, about: .analytics)
        intake.say(.granted, about: .analytics)
        track(.normal, by: intake)

        track(.high, by: intake)
        track(.high, by: intake)

        #expect(taken.count == 1)
        #expect(takeAll(of: intake).map(\.options.priority) == [.high])
        #expect(intake.ledgers.map(\.ledger.dropped) == [[.bufferFull: 2, .consentDenied: 1]])
    }

    // A search of the buffer for each refused event would take ten billion steps.
    @Test(.timeLimit(.minutes(5)))
    func `a full buffer without an event of lower priority refuses events at constant cost`() {
        let capacity = 100_000
        let intake = makeBuffer(capacity: capacity)

        for _ in 1...(2 * capacity) { track(.normal, by: intake) }

        #expect(intake.unstoredCount == capacity)
        #expect(intake.ledgers.map(\.ledger.dropped) == [[.bufferFull: capacity]])
    }

    @Test func `many buffered events are taken in several groups, in the order of their ids`() async {
        let intake = makeBuffer(capacity: 100_000)
        let lane = intake.lane
        await onThreads(8) { _ in for _ in 1...2_500 { lane.track("viewed", parameters: [:]) } }

        let groups = (1...20).map { _ in takeAll(of: intake).map(\.id) }.filter { !$0.isEmpty }

        #expect((4...16).contains(groups.count))
        #expect(groups.joined().count == 20_000)
        #expect(zip(groups.joined(), groups.joined().dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `capacity is returned when a group is stored`() {
        let intake = makeBuffer(capacity: 1)
        intake.lane.track("first", parameters: [:])
        let group = intake.takeGroup(all: true, now: clock.monotonicTime())
        intake.lane.track("refused", parameters: [:])

        intake.recordStored(group, published: [])
        intake.lane.track("second", parameters: [:])

        #expect(takeAll(of: intake).map(\.name) == ["second"])
    }

    @Test func `a refusal is always in the ledger, and is taken by the writer once`() {
        let intake = makeBuffer(capacity: 1)
        intake.lane.track("first", parameters: [:])
        intake.lane.track("refused", parameters: [:])

        let first = intake.takeGroup(all: true, now: clock.monotonicTime())
        let second = intake.takeGroup(all: true, now: clock.monotonicTime())
        var stored = LaneLedger()
        stored.accepted = 2
        stored.drop(1, .bufferFull)
        let before = intake.ledgers.map(\.ledger)
        intake.recordStored(first, published: [(lane: 0, ledger: stored, status: LaneStatus())])

        #expect(first.refused == [0: [.bufferFull: 1]])
        #expect(second.isEmpty)
        #expect(before == [stored])
        #expect(intake.ledgers.map(\.ledger) == [stored])
    }

    @Test func `a denial removes the lane's buffered events, and returns their receipts`() async {
        let intake = makeBuffer()
        _ = intake.lane

        let receipt = await withCheckedContinuation { continuation in
            intake.accept(
                lane: 0,
                consent: LaneConsent(),
                name: "held",
                parameters: [:],
                defaults: [:],
                options: TrackOptions(),
                receipt: PendingReceipt(continuation)
            )
            intake.say(.denied, about: .analytics)
        }

        #expect(receipt.outcome == .lost(.consentDenied))
        #expect(intake.unopenedStatistics.map(\.ledger.dropped) == [[.consentDenied: 1]])
        #expect(FlushReporter(intake: intake).report(nil).lanes.map(\.pending) == [0])
    }

    @Test func `once a denial has returned, no event of concurrent threads is buffered`() async {
        let intake = makeBuffer(capacity: 100_000)
        let lane = intake.lane
        let left = Mutex<Int?>(nil)

        await onThreads(5) { thread in
            if thread == 0 {
                while intake.unstoredCount < 100 { sched_yield() }
                intake.say(.denied, about: .analytics)
                left.withLock { $0 = intake.unstoredCount }
            } else {
                for _ in 1...5_000 { lane.track("storm", parameters: [:]) }
            }
        }

        #expect(left.withLock { $0 } == 0)
        #expect(takeAll(of: intake).isEmpty)
        #expect(intake.ledgers.map(\.ledger.dropped) == [[.consentDenied: 20_000]])
    }

    @Test func `when the engine closes, buffered events are removed and counted, and receipts return`() async {
        let intake = makeBuffer()

        async let receipt = intake.lane.track("left", parameters: [:], until: .persisted)
        while intake.unstoredCount == 0 { await Task.yield() }
        intake.giveUpBuffered()

        #expect(await receipt.outcome == .lost(.closed))
        #expect(intake.unstoredCount == 0)
        #expect(intake.ledgers.map(\.ledger.dropped) == [[.closed: 1]])
    }

    // If the writer is not woken, the test waits forever.
    @Test(.timeLimit(.minutes(5)))
    func `an event wakes the waiting writer even if another caller has taken a group in between`() async {
        let intake = makeBuffer()
        intake.open(limits: .none, sessionTimeout: nil, deviceID: "d")

        #expect(takeAll(of: intake).isEmpty)
        _ = intake.shards[0].withState { $0.refuse(lane: 0, .bufferFull, now: MonotonicInstant(nanoseconds: 0)) }
        _ = intake.lane
        #expect(!intake.takeGroup(all: true, now: clock.monotonicTime()).isEmpty)
        intake.lane.track("next", parameters: [:])

        await intake.wake.wait()
        #expect(intake.unstoredCount == 1)
    }

    @Test func `events are stored in the order of tracking, across threads`() async {
        let intake = makeBuffer(capacity: 100_000)
        let lane = intake.lane
        let turns = (0..<4).map { DispatchSemaphore(value: $0 == 0 ? 1 : 0) }
        let isDone = Atomic(false)
        let taken = Mutex<[Int]>([])

        await onThreads(5) { thread in
            if thread == 4 {
                // This thread takes groups continuously while the others track in turn.
                while !isDone.load(ordering: .acquiring) { taken.withLock { $0 += numbers(of: intake) } }
                while intake.hasBuffered(upTo: intake.ids.latest) { taken.withLock { $0 += numbers(of: intake) } }
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
        let intake = EventBuffer(clock: clock, eventTime: eventTime, capacity: capacity)
        intake.serve([(LineDestination().lane, .analytics)]) { _ in .granted }
        return intake
    }

    private func takeAll(of intake: EventBuffer) -> [BufferedEvent] {
        var entries: [BufferedEvent] = []
        intake.takeGroup(all: true, now: clock.monotonicTime()).forEach { entries.append($0) }
        return entries
    }

    private func numbers(of intake: EventBuffer) -> [Int] {
        takeAll(of: intake).compactMap { entry in
            if case .int(let number) = entry.parameters["number"] { number } else { nil }
        }
    }

    private func track(_ priority: TrackOptions.Priority, by intake: EventBuffer) {
        intake.lane.track("viewed", parameters: [:], options: TrackOptions(priority: priority))
    }

    /// Runs a closure on the given number of threads concurrently.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
        let running = Atomic(count)
        await withCheckedContinuation { continuation in
            for thread in 0..<count {
                Thread.detachNewThread {
                    body(thread)
                    if running.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
                        continuation.resume()
                    }
                }
            }
        }
    }
}

extension EventBuffer {
    fileprivate var lane: DeliveryLane { lane(LaneID(product: "T", service: "lines")) }
}

/// A box for the buffer that its own closure for the event time reads.
private final class KnownBuffer: Sendable {
    let intake = Mutex<EventBuffer?>(nil)

    var sessionStart: Timestamp {
        intake.withLock { $0 }?.identity.value.sessionStart ?? Timestamp(microseconds: 0)
    }
}
