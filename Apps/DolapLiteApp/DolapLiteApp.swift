#if os(iOS)
import AppTracking
import DLProductDetail
import DLTracker
import EventDelivery
import SwiftUI
import UIKit

/// The app of Dolap Lite, which shows one product.
@main
struct DolapLiteApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    private let presenter = DLProductDetailPresenter(product: DLProduct.examples[0])

    var body: some Scene {
        WindowGroup {
            ProductScreen(presenter: presenter)
                .tracker(DLTracker())
                .onOpenURL { DLTracker().track(DeepLinkOpened(link: $0.absoluteString)) }
                .sheet(isPresented: $delegate.asksForConsent) { ConsentSheet() }
        }
    }
}

/// The delegate that opens the engine at each launch, also at one in the background, which shows no view.
final class AppDelegate: NSObject, UIApplicationDelegate, ObservableObject {
    @Published var asksForConsent = false
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
        Task {
            do {
                try await delivery.open(makeConfiguration())
                asksForConsent = await DeliveryEngine.shared.statistics().contains { $0.consent == .unknown }
            } catch {
                print("the app sends no events: \(error)")
            }
        }
        return true
    }
}
#endif
