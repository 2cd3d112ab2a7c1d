import CoreTracker
import EventDeliveryTesting
import EventTracking
import Foundation
import Locks
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes
@testable import EventOutbox

/// Tests of groups that fill up while the previous one is stored.
@Suite(.timeLimit(.minutes(5))) struct BufferWriterTests {
    private let clock = TestClock()
    private let buffer: EventBuffer

    init() {
        buffer = EventBuffer(clock: clock, eventTime: nil, capacity: 100_000)
        DiskFaults.prepare()
    }

    @Test func `groups are numbered one after another, and a call ends although more events are tracked`()
        async throws
    {
        let flood = Flood(groups: 20, into: buffer)
        let store = await open(flood)

        flood.reach(0)
        await store.storeAll(barrier: false)

        #expect(await store.ledger.accepted == Flood.groupSize)
        try await expectAll(flood, in: store)
    }

    @Test func `one call stores all events that were tracked before it`() async throws {
        let lane = buffer.lane(LineDestination().lane)
        let store = await open(Flood(groups: 0, into: buffer))
        for _ in 1...26_000 { lane.track("viewed", parameters: [:]) }

        await store.storeAll(barrier: false)

        #expect(await store.ledger.accepted == 26_000)
        #expect(buffer.unstoredCount == 0)
    }

    @Test func `other callers of the store wait for one group, not for all groups of a call`() async throws {
        let lane = buffer.lane(LineDestination().lane)
        let store = await open(Flood(groups: 0, into: buffer))
        for _ in 1...26_000 { lane.track("viewed", parameters: [:]) }

        let storing = Task { await store.storeAll(barrier: false) }
        var counts: Set<Int> = []
        while buffer.unstoredCount > 0 {
            _ = await store.quarantined(lane: nil)
            counts.insert(buffer.unstoredCount)
        }
        await storing.value

        #expect(counts.count >= 4)
    }

    @Test func `a reset while events are stored does not change the installation of earlier events`() async throws {
        let flood = Flood(
            groups: 0,
            into: buffer,
            onReach: { [buffer] number in if number == 1 { buffer.identity.change { $0.deviceID = "reset" } } }
        )
        let lane = buffer.lane(LineDestination().lane)
        for number in 1...10_000 { lane.track("viewed", parameters: ["n": .int(number)]) }

        let store = await open(flood)

        #expect(await store.ledger.accepted == 10_000)
        #expect(flood.devices.withLock { $0.count } == 1)
        #expect(flood.devices.withLock { !$0.contains("reset") })
    }

    @Test func `a strict event makes its own group safe, and each receipt is completed`() async throws {
        let queue = try TemporaryQueue()
        let flood = Flood(groups: 4, into: buffer) { TrackOptions(durability: $0 == 700 ? .strict : .durable) }
        let store = await open(flood, directory: queue.url)

        let outcomes = await flood.receipts(of: [1, 700, 1_200]) {
            while buffer.unstoredCount > 0 { await store.storeAll(barrier: false) }
        }

        #expect(outcomes == [1: .stored, 700: .stored, 1_200: .stored])
        // The checkpoint was written after the third of four groups.
        let checkpoint = DurabilityCheckpoint(queue: queue.path)
        #expect(checkpoint?.lanes.map(\.nextNumber) == [Int64(3 * Flood.groupSize + 1)])
        try await expectAll(flood, in: store)
        await store.stop()
    }

    @Test(arguments: 1...4)
    func `a disk that fills up under a flood costs no event, no number and no receipt`(group: Int) async throws {
        let queue = try TemporaryQueue()
        let flood = Flood(
            groups: 6,
            into: buffer,
            onReach: { [url = queue.url] number in
                if number == group * Flood.groupSize { DiskFaults.set(.write(ENOSPC), for: url) }
            }
        )
        let store = await open(flood, directory: queue.url)

        let outcomes = await flood.receipts(of: [1, 300, 301, 601, 900, 901, 1_800]) {
            repeat { await store.storeAll(barrier: false) } while await store.failure == nil
            #expect(await store.failure == .full)
            DiskFaults.set(nil, for: queue.url)
            await store.storeAll(barrier: false)
            #expect(await store.failure == nil)
            while buffer.unstoredCount > 0 { await store.storeAll(barrier: false) }
        }

        #expect(outcomes.values.allSatisfy { $0 == .stored })
        #expect(outcomes.count == 7)
        try await expectAll(flood, in: store)
        await store.stop()
    }

    @Test(arguments: 1...4)
    func `damage that a commit finds under a flood costs only damaged events, which are counted`(
        commit: Int
    ) async throws {
        let queue = try TemporaryQueue()
        let earlier = await open(Flood(groups: 0, into: buffer), directory: queue.url)
        let lane = buffer.lane(LineDestination().lane)
        for number in 10_001...11_500 { lane.track("viewed", parameters: ["n": .int(number)]) }
        await earlier.storeAll(barrier: false)
        await earlier.stop()
        // Each group of the flood evicts three segments of 100 events. The second segment of this commit is damaged.
        try queue.damagePage(of: 10_000 + commit * Flood.groupSize - 150)
        let next = EventBuffer(clock: clock, eventTime: nil, capacity: 100_000)
        let flood = Flood(groups: 4, into: next)
        let store = await open(flood, into: next, directory: queue.url, budget: DeliveryBudget(events: 1_500))

        let outcomes = await flood.receipts(of: [1, 300, 301, 601, 900, 901, 1_200]) {
            while next.unstoredCount > 0 { await store.storeAll(barrier: false) }
        }

        #expect(outcomes.values.allSatisfy { $0 == .stored })
        #expect(await store.failure == nil)
        #expect(queue.files.contains { $0.hasPrefix("corrupt-") })
        let (ledger, stored) = (await store.ledger, try await store.stored())
        #expect(stored.suffix(flood.count).map(\.number) == Array(1...flood.count))
        #expect(stored.suffix(flood.count).map(\.sequence) == Array(1_501..<(1_501 + flood.count)))
        #expect(ledger.accepted == 1_500 + flood.count)
        #expect(ledger.pending == stored.count)
        #expect((1...100).contains(ledger.dropped[.corrupted] ?? 0))
        #expect(Set(ledger.dropped.keys) == [.corrupted, .countBudget])
        await store.stop()
    }

    @Test func `under a flood the oldest events are evicted, as with one group at a time`() async throws {
        let flood = Flood(groups: 16, into: buffer)
        let store = await open(flood, budget: DeliveryBudget(events: 1_000))

        flood.reach(0)
        while buffer.unstoredCount > 0 { await store.storeAll(barrier: false) }
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
        let store = await open(flood)

        flood.reach(0)
        while buffer.unstoredCount > 0 { await store.storeAll(barrier: false) }

        #expect(await store.inspect { $1.map(\.stored.number) } == [1, 2])
        #expect(await store.inspect { $1[1].stored.ledger.dropped } == [.noDestination: 1])
        try await expectAll(flood, in: store)
    }

    @Test func `an event that is refused while groups are stored is counted once`() async throws {
        let flood = Flood(
            groups: 6,
            into: buffer,
            onReach: { [buffer] number in if number % 200 == 0 { buffer.drop(lane: 0, .bufferFull) } }
        )
        let store = await open(flood)

        flood.reach(0)
        await store.storeAll(barrier: false)
        try await expectAll(flood, in: store)
        // Some events are refused while the last group is encoded.
        await store.storeAll(barrier: false)

        let ledger = await store.ledger
        // Nine while events were encoded, and one before the first.
        #expect(ledger.dropped == [.bufferFull: 10])
        #expect(buffer.ledgers.map(\.ledger) == [ledger])
    }

    @Test func `a suspension stores the events in memory if the disk has space again`() async throws {
        let (queue, flood) = (try TemporaryQueue(), Flood(groups: 1, into: buffer))
        let store = await open(flood, directory: queue.url)
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        flood.reach(0)
        while buffer.unstoredCount > 0 { await store.storeAll(barrier: false) }
        #expect(await store.failure == .full)

        DiskFaults.set(nil, for: queue.url)
        _ = await store.beginSuspending()
        await store.suspendStorage()

        #expect(try queue.rows().lanes.map(\.counts.total) == [flood.count])
    }

    private func open(
        _ flood: Flood,
        into other: EventBuffer? = nil,
        directory: URL? = nil,
        budget: DeliveryBudget = DeliveryBudget()
    ) async -> DeliveryStore {
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: [FloodingDestination(flood: flood)],
            transport: ScriptedTransport()
        )
        configuration.budget = budget
        let store = DeliveryStore(buffer: other ?? buffer, configuration: configuration)
        _ = await store.start()
        return store
    }

    /// Stores the remaining events, and expects each event once, in order, with the number after the previous one.
    private func expectAll(_ flood: Flood, in store: DeliveryStore) async throws {
        while buffer.unstoredCount > 0 { await store.storeAll(barrier: false) }
        let stored = try await store.stored()
        let found = try #require(await store.storedEvents()[LineDestination().lane])
        #expect(stored.map(\.number) == Array(1...flood.count))
        #expect(stored.map(\.sequence) == Array(1...flood.count))
        #expect(found.ledger.pending == flood.count)
        #expect(found.pending == flood.count)
    }
}

extension DeliveryStore {
    /// The events of the first lane in order, each with its parameter `n` and its number in the lane.
    fileprivate func stored() throws -> [(number: Int, sequence: Int)] {
        try inspect { outbox, lanes in
            var places: [SegmentPlace] = []
            try outbox.forEachSummary(of: lanes[0].stored) { summary in
                places.append(summary.place)
                return true
            }
            let numbers = /"seq":(\d+).*"n":(\d+)/  // made once, because that takes longer than a search
            return try places.flatMap { try outbox.segment(at: $0)?.read() ?? [] }.compactMap { record in
                let text = String(decoding: record.fragment, as: UTF8.self)
                return text.firstMatch(of: numbers).flatMap { match in
                    Int(match.2).flatMap { number in Int(match.1).map { (number, $0) } }
                }
            }
        }
    }

    /// The first lane's ledger.
    fileprivate var ledger: LaneLedger { inspect { _, lanes in lanes[0].stored.ledger } }
}

extension TemporaryQueue {
    /// Overwrites the page of the queue file that contains an event, or a following event of its segment.
    ///
    /// The entry of the page in SQLite's table of pages is overwritten too. SQLite reads it to delete the segment.
    fileprivate func damagePage(of number: Int) throws {
        let bytes = try Data(contentsOf: URL(filePath: path))
        // The header of the file has the size of its pages at this offset.
        let size = UInt64(bytes[16]) << 8 | UInt64(bytes[17])
        // A text that continues on another page is not found.
        let offset = (number..<(number + 20)).lazy.compactMap { bytes.range(of: Data("\"n\":\($0)}".utf8))?.lowerBound }
        let page = UInt64(try #require(offset.first)) / size
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        // A page of the table has five bytes for each of the pages that follow it. The first one is the second page.
        let table = 1 + (page - 1) / (size / 5 + 1) * (size / 5 + 1)
        for (offset, count) in [(page * size, Int(size)), (table * size + (page - table - 1) * 5, 5)] {
            try file.seek(toOffset: offset)
            try file.write(contentsOf: Data(repeating: 0xFF, count: count))
        }
        try file.close()
    }
}
