import CoreTracker
import EventDelivery
import FirebaseTracking

/// The number of 5,000 Firebase events delivered in 20 s to a receiver that takes 300 ms for each request of 25 events.
///
/// Sequential requests would deliver 1,650 events. The floor is the number that the allowed concurrent requests can
/// deliver.
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
        let report = await live.engine.flush(deadline: Self.deadline)
        await live.engine.close(deadline: .zero)
        let delivered = report.lanes.reduce(0) { $0 + $1.delivered }
        let requests = Self.deadline / Self.delay * Double(firebase.limits.inFlight)
        let possible = min(Double(Self.events), requests * Double(firebase.limits.events))
        return [Sample(row: Self.row.name, value: Double(delivered), floor: possible)]
    }
}
