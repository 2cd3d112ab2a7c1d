import AwesomeTracking
import EventDelivery
import Foundation
import LoopbackCollector

/// An engine with one lane, whose receiver is in this process.
final class Scene: Sendable {
    let engine = DeliveryEngine()
    let receiver: LoopbackCollector
    private let folder = URL.temporaryDirectory.appending(path: "servers-\(UUID().uuidString)")

    init() throws {
        receiver = try LoopbackCollector()
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var configuration: DeliveryConfiguration {
        get throws {
            let rows = try ClickHouseConfiguration(endpoint: receiver.url)
            var configuration = DeliveryConfiguration(
                directory: folder,
                destinations: [ClickHouseDestination(product: "AC", configuration: rows)]
            )
            configuration.log = .off
            return configuration
        }
    }

    var lane: DeliveryLane { engine.lane(.awesomeTracking(product: "AC")) }

    /// The names of the received events, in order.
    var received: [String] { receiver.events(of: .awesomeTracking).map(\.name) }
}
