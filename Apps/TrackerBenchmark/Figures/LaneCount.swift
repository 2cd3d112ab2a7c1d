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
        await live.engine.close(deadline: .zero)
        return time / Double(events)
    }
}
