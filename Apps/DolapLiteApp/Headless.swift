#if !os(iOS)
import AppTracking
import CoreTracker
import DLProductDetail
import DLTracker
import EventDelivery
import Foundation
import LoopbackCollector

/// The app without screens, which delivers to a receiver in this process and prints the events.
@main
@MainActor
enum Headless {
    static func main() async throws {
        let (engine, receiver) = (DeliveryEngine.shared, try LoopbackCollector())
        let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        // The engine is not open yet, so this event waits in memory.
        DLTracker().track(ScreenViewed("product"))
        try await engine.open(makeConfiguration(in: folder, gateway: "\(receiver.url)"))
        DLProductDetailPresenter(product: DLProduct.examples[0]).appear()
        _ = await engine.flush(timeout: .seconds(1))
        print("\(receiver.tally.requests) requests before the consent")
        try await engine.setConsent(.granted, for: .analytics)
        await engine.close(timeout: .seconds(10))
        for service in [CollectorService.firebase, .awesomeTracking] {
            for event in receiver.events(of: service) { print(service.name, event.name) }
        }
    }
}
#endif
