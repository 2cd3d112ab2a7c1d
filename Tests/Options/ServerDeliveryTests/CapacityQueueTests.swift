import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Locks
import Testing

@testable import ServerDelivery

@Suite(.timeLimit(.minutes(1))) struct CapacityQueueTests {
    private let clock = TestClock()

    private func makeBuffer(events: Int = 1, bytes: Int? = nil) -> EventBuffer {
        let buffer = EventBuffer(clock: clock, eventTime: nil, capacity: events, byteCapacity: bytes)
        buffer.open()
        return buffer
    }

    /// Starts a call that waits, and returns when it waits.
    private func wait(
        _ name: String,
        on buffer: EventBuffer,
        bytes: Int = 0,
        priority: TrackOptions.Priority = .normal,
        upTo limit: Duration = .seconds(10)
    ) async -> Task<DropReason?, Never> {
        let parameters: EventParameters = ["t": .string(String(repeating: "x", count: bytes))]
        let options = TrackOptions(priority: priority)
        let task = Task { await buffer.lane.track(name, parameters: parameters, options: options, waitingUpTo: limit) }
        _ = await clock.nextSleep { $0 == limit }
        return task
    }

    /// Takes all events out of the buffer, and frees their capacity.
    @discardableResult
    private func store(_ buffer: EventBuffer) -> [String] {
        let group = buffer.takeGroup(all: true, now: clock.monotonicTime())
        var names: [String] = []
        group.forEach { names.append($0.name) }
        buffer.publish([], storing: group)
        return names
    }

    @Test func `a call waits until the buffer has capacity, and its event has the time of the call`() async {
        let buffer = makeBuffer()
        let start = clock.wallTime()
        buffer.lane.track("first", parameters: [:])

        let call = await wait("second", on: buffer)
        clock.advance(by: .seconds(9))
        #expect(buffer.capacityQueue.count == 1)
        store(buffer)

        #expect(await call.value == nil)
        let entries = buffer.takeAll()
        #expect(entries.map(\.name) == ["second"])
        #expect(entries.map(\.time) == [start])
        #expect(buffer.ledgers[0].ledger.dropped.isEmpty)
        #expect(buffer.capacityQueue.count == 0)
    }

    @Test func `a call without capacity until its deadline is lost and counted once`() async {
        let buffer = makeBuffer()
        buffer.lane.track("first", parameters: [:])

        let call = await wait("second", on: buffer)
        clock.advance(by: .seconds(10))

        #expect(await call.value == .bufferFull)
        #expect(buffer.ledgers[0].ledger.dropped == [.bufferFull: 1])
        #expect((buffer.capacityQueue.count, buffer.unstoredCount) == (0, 1))
    }

    @Test(arguments: [Duration.zero, .seconds(-1)]) func `a call with no time does not wait`(limit: Duration) async {
        let buffer = makeBuffer()

        let first = await buffer.lane.track("first", parameters: [:], waitingUpTo: limit)
        let second = await buffer.lane.track("second", parameters: [:], waitingUpTo: limit)

        #expect((first, second) == (nil, .bufferFull))
        #expect(store(buffer) == ["first"])
    }

    @Test func `a cancelled call ends at once, its event is counted, and no capacity is lost`() async {
        let buffer = makeBuffer()
        buffer.lane.track("first", parameters: [:])

        let call = await wait("second", on: buffer)
        call.cancel()

        #expect(await call.value == .bufferFull)
        #expect(buffer.capacityQueue.count == 0)
        store(buffer)
        #expect(buffer.unstoredCount == 0)
    }

    @Test func `closing ends all waiting calls, and later ones do not wait`() async {
        let buffer = makeBuffer()
        buffer.lane.track("first", parameters: [:])

        let calls = [await wait("a", on: buffer), await wait("b", on: buffer, upTo: .seconds(20))]
        buffer.close()

        for call in calls { #expect(await call.value == .closed) }
        #expect(await buffer.lane.track("c", parameters: [:], waitingUpTo: .seconds(10)) == .closed)
        #expect(buffer.ledgers[0].ledger.dropped == [.closed: 3])
        #expect(buffer.capacityQueue.count == 0)
    }

    @Test func `two waiting calls get capacity in their order, before other callers`() async {
        let buffer = makeBuffer()
        buffer.lane.track("first", parameters: [:])

        let second = await wait("second", on: buffer)
        let third = await wait("third", on: buffer, upTo: .seconds(20))
        #expect(store(buffer) == ["first"])
        let late = await buffer.lane.track("late", parameters: [:], waitingUpTo: .zero)

        #expect(late == .bufferFull)
        #expect(await second.value == nil)
        #expect(buffer.capacityQueue.count == 1)
        #expect(store(buffer) == ["second"])
        #expect(await third.value == nil)
        #expect(store(buffer) == ["third"])
    }

    @Test func `a small event does not overtake a large one, and follows when the large one gives up`() async {
        let buffer = makeBuffer(events: 10, bytes: 1_000)
        buffer.lane.track("first", parameters: ["t": .string(String(repeating: "x", count: 500))])

        let large = await wait("large", on: buffer, bytes: 800)
        let small = await wait("small", on: buffer, bytes: 10, upTo: .seconds(20))
        #expect(buffer.capacityQueue.count == 2)
        large.cancel()

        #expect(await large.value == .bufferBytes)
        #expect(await small.value == nil)
        #expect(store(buffer) == ["first", "small"])
    }

    @Test func `an event that is lost anyway does not wait`() async {
        let buffer = makeBuffer(bytes: 10_000)
        buffer.lane.track("first", parameters: [:])

        let large = await buffer.lane.track(
            "large",
            parameters: ["t": .string(String(repeating: "x", count: 20_000))],
            waitingUpTo: .seconds(10)
        )
        buffer.decide(.denied, about: .analytics)
        let denied = await buffer.lane.track("denied", parameters: [:], waitingUpTo: .seconds(10))

        #expect((large, denied) == (.bufferFull, .consentDenied))
    }

    @Test func `an event of a refused lane does not wait`() async {
        let buffer = makeBuffer()
        buffer.lane.track("first", parameters: [:])
        let refused = buffer.lane(LaneID(product: String(repeating: "n", count: 1_025), service: "s"))

        let reason = await refused.track("second", parameters: [:], waitingUpTo: .seconds(10))

        #expect(reason == .tooManyLanes)
    }

    @Test func `an event of a scope with a too long id does not wait`() async {
        let buffer = makeBuffer()
        buffer.lane.track("first", parameters: [:])

        let reason = await withTracking(user: String(repeating: "u", count: 5_000)) {
            await buffer.lane.track("second", parameters: [:], waitingUpTo: .seconds(10))
        }

        #expect(reason == .idTooLong)
    }

    @Test func `an event against a rule does not wait, and a waiting event counts once towards its rate`() async {
        let buffer = makeBuffer()
        let rules = SwitchedOff("off")
        buffer.admission.use(rules)
        buffer.lane.track("first", parameters: [:])

        let reason = await buffer.lane.track("off", parameters: [:], waitingUpTo: .seconds(10))
        let call = await wait("second", on: buffer)
        store(buffer)

        #expect(reason == .switchedOff)
        #expect(await call.value == nil)
        #expect(rules.counted.withLock { $0 } == ["first", "off", "second"])
    }

    @Test func `a denial during the wait applies to the event, and its capacity is returned`() async {
        let buffer = makeBuffer()
        let other = buffer.lane(LaneID(product: "T", service: "other"))
        other.track("first", parameters: [:])

        let call = await wait("second", on: buffer)
        buffer.decide(.denied, about: .analytics)
        store(buffer)

        #expect(await call.value == .consentDenied)
        #expect(buffer.unstoredCount == 0)
    }

    @Test func `an important event does not wait for the share of less important ones`() async {
        let buffer = makeBuffer(events: 8)
        for _ in 1...7 { buffer.lane.track("normal", parameters: [:]) }

        let normal = await wait("normal", on: buffer)
        let high = await buffer.lane.track("high", parameters: [:], options: .critical, waitingUpTo: .zero)
        clock.advance(by: .seconds(10))

        #expect(high == nil)
        #expect(await normal.value == .bufferFull)
    }

    @Test func `an important event does not wait behind less important ones`() async {
        let buffer = makeBuffer(events: 8)
        for _ in 1...7 { buffer.lane.track("normal", parameters: [:]) }

        let normal = await wait("normal", on: buffer)
        let high = await buffer.lane.track("high", parameters: [:], options: .critical, waitingUpTo: .seconds(20))

        #expect(high == nil)
        #expect(buffer.capacityQueue.count == 1)
        store(buffer)
        #expect(await normal.value == nil)
    }

    @Test func `returned capacity goes past the calls whose share is used up`() async {
        let buffer = makeBuffer(events: 8)
        let share = BufferCapacity.Share(bytes: 0)
        for _ in 1...8 { #expect(buffer.room.take(share, .high) == nil) }

        let low = await wait("low", on: buffer, priority: .low)
        let normal = await wait("normal", on: buffer, upTo: .seconds(20))
        let high = await wait("high", on: buffer, priority: .high, upTo: .seconds(30))
        var waiting: [Int] = []
        for _ in 1...5 {
            buffer.room.giveBack(share)
            waiting.append(buffer.capacityQueue.count)
        }

        // The calls fit beside 7, 6 and 5 events.
        #expect(waiting == [2, 2, 1, 1, 0])
        for call in [high, normal, low] { #expect(await call.value == nil) }
    }

    @Test func `many concurrent calls are each accepted or counted, and all capacity is returned`() async {
        let buffer = makeBuffer(events: 8)
        let calls = 400
        let done = Atomic(false)

        let writer = Task {
            var (stored, lost) = (0, 0)
            var isLast = false
            while !isLast {
                isLast = done.load(ordering: .acquiring)
                let group = buffer.takeGroup(all: true, now: clock.monotonicTime())
                buffer.publish([], storing: group)
                stored += group.count
                lost += group.refused[0]?[.bufferFull] ?? 0
                await Task.yield()
            }
            return [stored, lost]
        }
        let accepted = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<calls {
                group.addTask {
                    let call = Task {
                        await buffer.lane.track("e", parameters: [:], waitingUpTo: .seconds(10)) == nil
                    }
                    if number % 5 == 0 { call.cancel() }
                    return await call.value
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        done.store(true, ordering: .releasing)

        #expect(await writer.value == [accepted, calls - accepted])
        // Without a cancellation, a call is never lost, because its deadline does not pass.
        #expect(accepted >= calls - calls / 5)
        #expect((buffer.unstoredCount, buffer.capacityQueue.count) == (0, 0))
    }

    @Test func `a receipt waits for capacity, then until its event is stored`() async throws {
        let engine = DeliveryEngine(clock: clock, capacity: 1)
        let lane = engine.lane(LineDestination().lane)
        lane.track("first", parameters: [:])

        let receipt = Task {
            await lane.trackUntilStored("second", parameters: [:], waitingUpTo: .seconds(10))
        }
        _ = await clock.nextSleep { $0 == .seconds(10) }
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: ScriptedTransport())
        )

        #expect(await receipt.value.isStored)
        #expect(await engine.flush(timeout: .seconds(5)).isDrained)
        await engine.close(timeout: .zero)
    }

    @Test func `a service waits for capacity on each of its lanes`() async {
        let engine = DeliveryEngine(clock: clock, capacity: 1)
        let service = LaneService(product: "T", on: engine)

        let first = await service.track(FirebaseEvent("a"), waitingUpTo: .seconds(1))
        let waiting = Task { await service.track(AwesomeTrackingEvent("b"), waitingUpTo: .seconds(1)) }
        _ = await clock.nextSleep { $0 == .seconds(1) }
        clock.advance(by: .seconds(1))
        let last = await service.track(VendorEvent("vendor", "c"), waitingUpTo: .zero)

        #expect((first, last) == (nil, .bufferFull))
        #expect(await waiting.value == .bufferFull)
    }

    @Test func `a server can wait for capacity without an event`() async {
        let engine = DeliveryEngine(clock: clock, capacity: 1)
        #expect(await engine.waitForCapacity(upTo: .zero))
        engine.buffer.lane.track("first", parameters: [:])

        let waiting = Task { await engine.waitForCapacity(upTo: .seconds(10)) }
        _ = await clock.nextSleep { $0 == .seconds(10) }
        let late = await engine.waitForCapacity(upTo: .zero)
        store(engine.buffer)

        #expect(!late)
        #expect(await waiting.value)
        #expect(engine.buffer.unstoredCount == 0)
        await engine.close(timeout: .zero)
        #expect(await !engine.waitForCapacity(upTo: .seconds(10)))
    }
}

/// A rule that drops the events of one name, and records the events that it counts.
private final class SwitchedOff: EventAdmission {
    let counted = Mutex<[String]>([])
    private let name: String

    init(_ name: String) { self.name = name }

    func refusal(
        of name: String,
        on lane: LaneID,
        _ identity: Identity,
        countedAt now: MonotonicInstant?
    ) -> DropReason? {
        if now != nil { counted.withLock { $0.append(name) } }
        return name == self.name ? .switchedOff : nil
    }
}

extension EventBuffer {
    /// The lane that the tests track on.
    fileprivate var lane: DeliveryLane { lane(LineDestination().lane) }

    /// Opens the buffer with a stored grant.
    fileprivate func open() {
        dropDenied([], serving: [ServedLane(LineDestination().lane, purpose: .analytics)])
        accept([.analytics: .granted], fallback: .unknown, through: 0, isStored: true)
    }

    /// Takes all buffered events, in their order.
    fileprivate func takeAll() -> [BufferedEvent] {
        var entries: [BufferedEvent] = []
        takeGroup(all: true, now: clock.monotonicTime()).forEach { entries.append($0) }
        return entries
    }
}
