import AwesomeTracking
import CoreTracker
import EventDelivery
import Foundation

/// The processor time of deliveries over eight lanes, from `track` to the acknowledgement of a receiver without a
/// network.
///
/// The floor is one lane. Processor time is the cost on a phone, and does not depend on the load of the machine.
struct LaneCount: Figure {
    private static let row = Row("8 lanes, processor time per delivery", .nanoseconds, .timesFloor(1.3))
    private static let events = 200_000

    let rows = [row]
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        _ = try await cost(lanes: 1, in: "\(setting.directory)/warm", events: 10_000)
        let alone = try await cost(lanes: 1, in: "\(setting.directory)/one", events: Self.events)
        let many = try await cost(lanes: 8, in: "\(setting.directory)/eight", events: Self.events)
        return [Sample(row: Self.row.name, value: many, floor: alone)]
    }

    private func cost(lanes count: Int, in directory: String, events: Int) async throws -> Double {
        let destinations = try (0..<count).map { try LiveEngine.awesomeTracking(product: "P\($0)") }
        let transport = ReceiverlessTransport(acknowledges: true)
        let live = try await LiveEngine(in: directory, destinations: destinations, transport: transport)
        let lanes = destinations.map { live.engine.lane($0.lane) }
        let parameters: EventParameters = [
            "item_id": "p-1", "item_name": "Running shoes, blue", "price": 89.5, "quantity": 1,
        ]
        let start = ProcessUsage.processorTime
        for number in 0..<events {
            lanes[number % count].track("product_viewed", parameters: parameters)
            if number.isMultiple(of: 16) { live.makeRoom() }
        }
        while await live.deliveredCount() < events {
            guard await live.lossCount() == 0 else { throw BenchmarkError("events were lost") }
            usleep(1_000)
        }
        let time = ProcessUsage.processorTime - start
        await live.engine.close(timeout: .zero)
        return time / Double(events)
    }
}

/// The processor time of a single event in an engine with 1,000 lanes, from `track` to its acknowledgement.
///
/// The floor is an engine with one lane. Each event is stored and sent before the next one, and goes to another lane.
struct ConfiguredLanes: Figure {
    private struct Load {
        let row: Row
        let durability: TrackOptions.Durability
    }

    private static let loads = [
        Load(
            row: Row("single event with 1,000 lanes, processor time", .nanoseconds, .timesFloor(1.5)),
            durability: .durable
        ),
        Load(
            row: Row("single strict event with 1,000 lanes, processor time", .nanoseconds, .timesFloor(1.5)),
            durability: .strict
        ),
    ]
    private static let lanes = 1_000
    private static let events = 400
    /// The time in which a stored event is sent and acknowledged.
    private static let pause: Duration = .milliseconds(3)

    let rows = loads.map(\.row)
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        var samples: [Sample] = []
        for load in Self.loads {
            let directory = "\(setting.directory)/\(load.durability)"
            let alone = try await cost(lanes: 1, load.durability, in: "\(directory)-one")
            let many = try await cost(lanes: Self.lanes, load.durability, in: "\(directory)-many")
            samples.append(Sample(row: load.row.name, value: many, floor: alone))
        }
        return samples
    }

    private func cost(lanes count: Int, _ durability: TrackOptions.Durability, in directory: String) async throws
        -> Double
    {
        let destinations = try (0..<count).map { try LiveEngine.awesomeTracking(product: "P\($0)") }
        let transport = ReceiverlessTransport(acknowledges: true)
        let live = try await LiveEngine(in: directory, destinations: destinations, transport: transport)
        let lanes = destinations.map { live.engine.lane($0.lane) }
        // The first event of a lane creates its row.
        for number in 0..<Self.lanes { lanes[number % count].track("product_viewed", parameters: ["n": .int(number)]) }
        _ = await live.engine.flush(timeout: .seconds(60))
        let start = ProcessUsage.processorTime
        for number in 0..<Self.events {
            let parameters: EventParameters = ["item_id": "p-1", "price": 89.5, "n": .int(number)]
            let options = TrackOptions(durability: durability)
            _ = await lanes[number % count].trackUntilStored("product_viewed", parameters: parameters, options: options)
            try await Task.sleep(for: Self.pause)
        }
        let time = ProcessUsage.processorTime - start
        _ = await live.engine.flush(timeout: .seconds(10))
        let delivered = await live.deliveredCount()
        guard delivered == Self.lanes + Self.events else { throw BenchmarkError("\(delivered) events were delivered") }
        await live.engine.close(timeout: .zero)
        return time / Double(Self.events)
    }
}
