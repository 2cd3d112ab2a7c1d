#if os(iOS)
import AppTracking
import CoreTracker
import DLProductDetail
import DLTracker
import EventDelivery
import SwiftUI
import UIKit

/// The app of Dolap Lite, which shows one product.
@main
struct DolapLiteApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    @State private var asksForConsent = false
    private let presenter = DLProductDetailPresenter(product: DLProduct.examples[0])

    var body: some Scene {
        WindowGroup {
            ProductScreen(presenter: presenter)
                .tracker(DLTracker())
                .onOpenURL { DLTracker().track(DeepLinkOpened(link: $0.absoluteString)) }
                .sheet(isPresented: $asksForConsent) { ConsentSheet() }
                .task { asksForConsent = await delegate.lacksConsent() }
        }
    }
}

/// The delegate that opens the engine at each launch, also at one in the background, which shows no view.
final class AppDelegate: NSObject, UIApplicationDelegate {
    private var opening: Task<Void, Never>?
    private var delivery: AppDelivery?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let delivery = AppDelivery(backgroundTask: ApplicationBackgroundTask(application))
        delivery.listen(to: ApplicationSignals())
        delivery.listen(to: NetworkSignals())
        self.delivery = delivery
        // Until the engine is open, events are in memory. Then it stores them.
        opening = Task {
            do { try await delivery.open(makeConfiguration()) } catch { print("the app sends no events: \(error)") }
        }
        return true
    }

    /// Returns whether to ask the user, after the opening.
    func lacksConsent() async -> Bool {
        await opening?.value
        let lanes = await DeliveryEngine.shared.statistics()
        // While the directory cannot be opened, an earlier answer in it is not known.
        return lanes.contains { $0.purpose == .analytics && $0.consent == .unknown && $0.storageFailure == nil }
    }
}
#endif
