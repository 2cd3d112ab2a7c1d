#if canImport(UIKit) && !os(watchOS)
import AppTracking
import UIKit

@MainActor
func makeDelivery(_ application: UIApplication) -> AppDelivery {
    let delivery = AppDelivery(backgroundTask: ApplicationBackgroundTask(application))
    delivery.listen(to: ApplicationSignals())
    delivery.listen(to: NetworkSignals())
    return delivery
}
#endif
