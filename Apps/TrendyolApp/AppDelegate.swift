#if os(iOS)
import AppTracking
import UIKit

/// The delegate that opens the engine at each launch, also at one in the background, which shows no scene.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private var delivery: AppDelivery?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let delivery = AppDelivery(backgroundTask: ApplicationBackgroundTask(application))
        delivery.listen(to: ApplicationSignals())
        delivery.listen(to: NetworkSignals())
        self.delivery = delivery
        // Until the engine is open, events are in memory. Then it stores them.
        Task {
            do { try await delivery.open(makeConfiguration()) } catch { print("the app sends no events: \(error)") }
        }
        return true
    }
}
#endif
