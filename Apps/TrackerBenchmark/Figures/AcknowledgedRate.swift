import AwesomeTracking
import CoreTracker
import EventDelivery
import FirebaseTracking
import Foundation
import LoopbackCollector

/// The rate from the disk to the receiver's acknowledgement, over HTTP with gzip to a collector in the same process.
///
/// The floor reads the same bodies from a file, compresses them with the same gzip and posts them over one connection
/// to the same collector.
struct AcknowledgedRate: Figure {
    /// 85 % of the floor's rate.
    private static let row = Row("stored → acknowledged, gzip on", .perSecond, .timesFloor(1.18))
    private static let processorRow =
        Row("stored → acknowledged, processor time per delivery", .nanoseconds, .timesFloor(1.6))
    private static let events = 200_000
    private static let batch = 1_000

    let rows = [row, processorRow]
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        let collector = try LoopbackCollector(retention: .latestIDs(10_000))
        let destinations = [try LiveEngine.awesomeTracking(at: collector.url)]
        let queue = "\(setting.directory)/queue"
        let identity = try await fill(queue, destinations)
        let live = LiveEngine()
        let (start, used) = (Stopwatch.now, ProcessUsage.processorTime)
        try await live.open(in: queue, destinations: destinations, transport: PlatformTransport())
        await collector.tally { $0.services["awesomeTracking"]?.arrivals ?? 0 >= Self.events }
        while await live.deliveredCount() < Self.events { usleep(500) }
        let (time, processor) = (Double(Stopwatch.now - start), ProcessUsage.processorTime - used)
        let losses = await live.lossCount()
        await live.engine.close(timeout: .zero)
        guard losses == 0 else { throw BenchmarkError("events were lost") }
        let floor = try floor(path: "\(setting.directory)/floor", identity, port: collector.port)
        collector.close()
        let deliveries = Double(Self.events)
        return [
            Sample(row: Self.row.name, value: deliveries / time * 1e9, floor: deliveries / floor.time * 1e9),
            Sample(row: Self.processorRow.name, value: processor / deliveries, floor: floor.processor / deliveries),
        ]
    }

    private func fill(_ queue: String, _ destinations: [any Destination]) async throws -> Identity {
        let live = try await LiveEngine(in: queue, destinations: destinations)
        let lane = live.engine.lane(destinations[0].lane)
        for number in 0..<Self.events {
            let event = ShopEvent(number: number)
            lane.track("product_viewed", parameters: event.parameters)
            if number.isMultiple(of: 16) { live.makeRoom() }
        }
        live.waitUntilStored()
        let identity = live.engine.identity
        await live.engine.close(timeout: .zero)
        return identity
    }

    /// Returns the nanoseconds of the hand-written equivalent, and those of its processor time.
    private func floor(path: String, _ identity: Identity, port: UInt16) throws -> (time: Double, processor: Double) {
        var bodies = HandWritten(identity)
        let file = try AppendOnlyFile(path: path)
        var sizes: [Int] = []
        for number in 0..<Self.events {
            let id = EventID(high: UInt64(number), low: 0x8000_0000_0000_0000)
            let time = Timestamp(microseconds: 1_700_000_000_000_000)
            bodies.appendAwesomeTracking(ShopEvent(number: number), id: id, time: time, sequence: Int64(number))
            bodies.appendLineFeed()
            guard number % Self.batch == Self.batch - 1 else { continue }
            sizes.append(bodies.bytes.count)
            try file.append(bodies.bytes)
            bodies.removeAll()
        }
        let client = try HandWrittenClient(port: port)
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        let used = ProcessUsage.processorTime
        let time = try Stopwatch.measure {
            for size in sizes {
                let body = try handle.read(upToCount: size).map { Array($0) } ?? []
                try client.post(Gzip.compress(body) ?? body)
            }
        }
        return (time, ProcessUsage.processorTime - used)
    }
}

/// The number of 5,000 Firebase events delivered in 20 s to a receiver that takes 300 ms for each request of 25 events.
///
/// Sequential requests would deliver 1,650 events. The floor is the number of events that the allowed concurrent
/// requests can deliver.
struct SlowReceiver: Figure {
    private static let events = 5_000
    private static let delay: Duration = .milliseconds(300)
    private static let deadline: Duration = .seconds(20)
    private static let row = Row("delivered in 20 s at 300 ms a request", .count, .atLeast(Double(events)))

    let rows = [row]
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        let destinations = try LiveEngine.destinations()
        guard let firebase = destinations.first(where: { $0.lane == .firebase(product: "DL") }) else {
            throw BenchmarkError("Dolap Lite has no Firebase lane")
        }
        let transport = ReceiverlessTransport(acknowledges: true, delay: Self.delay)
        let live = try await LiveEngine(in: "\(setting.directory)/slow", destinations: [firebase], transport: transport)
        let lane = live.engine.lane(firebase.lane)
        for number in 0..<Self.events {
            lane.track("view_item", parameters: ["n": .int(number)])
            if number.isMultiple(of: 16) { live.makeRoom() }
        }
        let report = await live.engine.flush(timeout: Self.deadline)
        await live.engine.close(timeout: .zero)
        let delivered = report.lanes.reduce(0) { $0 + $1.delivered }
        let requests = Self.deadline / Self.delay * Double(firebase.limits.inFlight)
        let possible = min(Double(Self.events), requests * Double(firebase.limits.events))
        return [Sample(row: Self.row.name, value: Double(delivered), floor: possible)]
    }
}
