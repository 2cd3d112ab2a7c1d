import CoreTracker
import Dispatch
import EventDeliveryTesting
import Foundation
import Locks
import Testing

@testable import EventDelivery
@testable import EventOutbox

/// Groups that fill up one behind the other, so that each is encoded while the one before is committed.
@Suite(.timeLimit(.minutes(5))) struct BufferWriterTests {
    private let clock = TestClock()
    private let buffer: EventBuffer

    init() {
        buffer = EventBuffer(clock: clock, eventTime: nil, capacity: 100_000)
    }

    @Test func `a group is encoded while the one before is committed, and no further one`() async throws {
        let reached = Mutex(0)
        let (isEncoding, isCommitting) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let overlaps = Mutex<[Int: Int]>([:])
        let flood = Flood(
            groups: 4,
            into: buffer,
            onReach: { number in
                reached.withLock { $0 = number }
                guard number == Flood.groupSize + 1 else { return }
                isEncoding.signal()
                _ = isCommitting.wait(timeout: .now() + 10)
            }
        )
        let disk = FillableOutbox.Disk { number in
            if number == 1 {
                _ = isEncoding.wait(timeout: .now() + 10)
                overlaps.withLock { $0[number] = reached.withLock { $0 } }
                isCommitting.signal()
            }
        }
        let store = await open(flood, disk)

        flood.reach(0)
        await store.persistAll(barrier: false)

        #expect(overlaps.withLock { $0 } == [1: Flood.groupSize + 1])
        #expect(disk.commits.count == 4)
        try await expectAll(flood, in: store)
    }

    @Test func `groups are numbered one behind the other, and a turn ends although more is tracked`() async throws {
        let flood = Flood(groups: 20, into: buffer)
        let disk = FillableOutbox.Disk()
        let store = await open(flood, disk)

        flood.reach(0)
        await store.persistAll(barrier: false)

        #expect(disk.commits.count == 8)
        #expect(await store.ledger.accepted == 8 * Flood.groupSize)
        try await expectAll(flood, in: store)
    }

    @Test func `what was tracked before is stored by one call, however much it is`() async throws {
        let lane = buffer.lane(LineDestination().lane)
        let store = await open(Flood(groups: 0, into: buffer), FillableOutbox.Disk())
        for _ in 1...26_000 { lane.track("viewed", parameters: [:]) }

        await store.persistAll(barrier: false)

        #expect(await store.ledger.accepted == 26_000)
        #expect(buffer.unstoredCount == 0)
    }

    @Test func `a reset while they are stored does not change the installation of events from before`() async throws {
        let buffer = buffer
        let flood = Flood(
            groups: 0,
            into: buffer,
            onReach: { number in if number == 1 { buffer.identity.change { $0.deviceID = "reset" } } }
        )
        let lane = buffer.lane(LineDestination().lane)
        for number in 1...10_000 { lane.track("viewed", parameters: ["n": .int(number)]) }

        let store = await open(flood, FillableOutbox.Disk())

        #expect(await store.ledger.accepted == 10_000)
        #expect(flood.devices.withLock { $0.count } == 1)
        #expect(flood.devices.withLock { !$0.contains("reset") })
    }

    @Test func `a strict event makes its own group safe, and is answered then`() async throws {
        let flood = Flood(groups: 4, into: buffer) { TrackOptions(durability: $0 == 700 ? .strict : .durable) }
        let disk = FillableOutbox.Disk()
        let store = await open(flood, disk)

        let outcomes = await flood.receipts(of: [1, 700, 1_200]) { await store.persistAll(barrier: false) }

        #expect(outcomes == [1: .persisted, 700: .persisted, 1_200: .persisted])
        #expect(disk.commits == [false, false, true, false])
        try await expectAll(flood, in: store)
    }

    @Test(arguments: 1...4)
    func `F12 a disk that fills up under a flood costs no event, no number and no receipt`(commit: Int) async throws {
        let flood = Flood(groups: 6, into: buffer)
        let disk = FillableOutbox.Disk { number throws(OutboxError) in if number == commit { throw .full } }
        let store = await open(flood, disk)

        let outcomes = await flood.receipts(of: [1, 300, 301, 601, 900, 901, 1_800]) {
            await store.persistAll(barrier: false)
            #expect(await store.failure == .full)
            // The next commit finds room again.
            await store.persistAll(barrier: false)
            #expect(await store.failure == nil)
            while buffer.unstoredCount > 0 { await store.persistAll(barrier: false) }
        }

        #expect(Set(outcomes.values) == [.persisted])
        #expect(outcomes.count == 7)
        try await expectAll(flood, in: store)
    }

    @Test(arguments: 1...4)
    func `F22 damage that is mended under a flood costs what was damaged, counted`(commit: Int) async throws {
        let queue = try TemporaryQueue()
        let flood = Flood(groups: 6, into: buffer)
        let disk = FillableOutbox.Disk { number throws(OutboxError) in
            guard number == commit + 1 else { return }
            try? queue.damage(#""n":-1}"#)
            throw .corrupt
        }
        let store = await open(flood, disk, directory: queue.url)
        flood.trackAlone(-1)
        await store.persistAll(barrier: false)

        let outcomes = await flood.receipts(of: [1, 300, 301, 601, 900, 901, 1_800]) {
            await store.persistAll(barrier: false)
        }

        #expect(Set(outcomes.values) == [.persisted])
        #expect(await store.failure == nil)
        #expect(await store.ledger.dropped == [.corrupted: 1])
        try await expectAll(flood, in: store, from: 2)
        await store.stop()
    }

    @Test func `F21 under a flood the oldest events give way, as with one group at a time`() async throws {
        let flood = Flood(groups: 16, into: buffer)
        let store = await open(flood, FillableOutbox.Disk(), budget: DeliveryBudget(events: 1_000))

        flood.reach(0)
        while buffer.unstoredCount > 0 { await store.persistAll(barrier: false) }
        let ledger = await store.ledger
        let numbers = try await store.stored().map(\.number)

        #expect(ledger.pending == numbers.count)
        #expect(ledger.dropped == [.countBudget: flood.count - numbers.count])
        #expect(numbers == Array((flood.count - numbers.count + 1)...flood.count))
        #expect((701...1_000).contains(numbers.count))
    }

    @Test func `events of a lane that is new are counted on it`() async throws {
        let buffer = buffer
        let stranger = LaneID(product: "T", service: "new")
        let flood = Flood(
            groups: 4,
            into: buffer,
            onReach: { number in
                guard number == 450 else { return }
                buffer.lane(stranger).track("viewed", parameters: [:])
            }
        )
        let store = await open(flood, FillableOutbox.Disk())

        flood.reach(0)
        await store.persistAll(barrier: false)

        #expect(await store.inspect { $1.map(\.stored.number) } == [1, 2])
        #expect(await store.inspect { $1[1].stored.ledger.dropped } == [.noDestination: 1])
        try await expectAll(flood, in: store)
    }

    @Test func `what is refused while groups are on their way is counted once`() async throws {
        let buffer = buffer
        let refuse: @Sendable () -> Void = {
            buffer.drop(lane: 0, .bufferFull)
        }
        let flood = Flood(groups: 6, into: buffer, onReach: { number in if number % 200 == 0 { refuse() } })
        let store = await open(flood, FillableOutbox.Disk())

        flood.reach(0)
        await store.persistAll(barrier: false)
        try await expectAll(flood, in: store)
        // What was refused while the last group was encoded.
        await store.persistAll(barrier: false)

        let ledger = await store.ledger
        // Nine while events were encoded, and one before the first.
        #expect(ledger.dropped == [.bufferFull: 10])
        #expect(buffer.ledgers.map(\.ledger) == [ledger])
    }

    @Test func `what memory has kept is on the disk once the storage is suspended, where the disk takes it by then`()
        async throws
    {
        let (queue, flood) = (try TemporaryQueue(), Flood(groups: 1, into: buffer))
        let disk = FillableOutbox.Disk()
        let store = await open(flood, disk, directory: queue.url)
        disk.isFull = true
        flood.reach(0)
        while buffer.unstoredCount > 0 { await store.persistAll(barrier: false) }
        #expect(await store.failure == .full)

        disk.isFull = false
        await store.suspendStorage()

        let outbox = try SQLiteOutbox(path: queue.path)
        #expect(try outbox.usage(lane: 1).totalEvents == flood.count)
        outbox.close()
    }

    private func open(
        _ flood: Flood,
        _ disk: FillableOutbox.Disk,
        directory: URL? = nil,
        budget: DeliveryBudget = DeliveryBudget()
    ) async -> DeliveryStore {
        let store = DeliveryStore(
            buffer: buffer,
            diagnostics: DiagnosticStream(),
            configuration: DeliveryConfiguration(
                directory: directory,
                destinations: [FloodingDestination(flood: flood)],
                transport: ScriptedTransport(),
                budget: budget
            )
        )
        _ = await store.start()
        await store.use { FillableOutbox(disk: disk, contents: $0) }
        return store
    }

    /// Stores what is left, and expects each event once, in order, with the number that follows the one before.
    private func expectAll(_ flood: Flood, in store: DeliveryStore, from first: Int = 1) async throws {
        while buffer.unstoredCount > 0 { await store.persistAll(barrier: false) }
        let stored = try await store.stored()
        let found = try #require(await store.storedEvents()[LineDestination().lane])
        #expect(stored.map(\.number) == Array(1...flood.count))
        #expect(stored.map(\.sequence) == Array(first..<(first + flood.count)))
        #expect(found.ledger.pending == flood.count)
        #expect(found.pending == flood.count)
    }
}

extension DeliveryStore {
    /// The numbers of the first lane's events as they were tracked and in their lane, in order of their places.
    fileprivate func stored() throws -> [(number: Int, sequence: Int)] {
        try inspect { outbox, lanes in
            let places = try outbox.summaries(lane: lanes[0].stored.number, after: nil, limit: 10_000).map(\.place)
            return try places.flatMap { try outbox.segment(at: $0)?.read() ?? [] }.compactMap { record in
                let text = String(decoding: record.fragment, as: UTF8.self)
                return text.firstMatch(of: /"seq":(\d+).*"n":(\d+)/).flatMap { match in
                    Int(match.2).flatMap { number in Int(match.1).map { (number, $0) } }
                }
            }
        }
    }

    /// The first lane's ledger.
    fileprivate var ledger: LaneLedger { inspect { _, lanes in lanes[0].stored.ledger } }
}

extension TemporaryQueue {
    /// Changes a byte wherever a text stands in the write-ahead log.
    fileprivate func damage(_ text: String) throws {
        let path = path + "-wal"
        var bytes = try Data(contentsOf: URL(filePath: path))
        while let range = bytes.range(of: Data(text.utf8)) { bytes[range.lowerBound] ^= 1 }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: bytes)
        try file.close()
    }
}
