import DLCheckout
import DLProductDetail
import DLTracker
import EventDelivery
import TYCheckout
import TYProductDetail
import TYTracker

/// The feature trackers of a replay's engine.
struct ReplayTrackers: Sendable {
    /// Dolap Lite's product detail.
    let dolapLiteDetail: DLProductDetailTracker
    /// Dolap Lite's checkout.
    let dolapLiteCheckout: DLCheckoutTracker
    /// Trendyol's product detail.
    let trendyolDetail: TYProductDetailTracker
    /// Trendyol's checkout.
    let trendyolCheckout: TYCheckoutTracker

    /// Creates trackers whose services deliver with an engine.
    init(on engine: DeliveryEngine) {
        dolapLiteDetail = DLProductDetailTracker(DLTracker(on: engine))
        dolapLiteCheckout = DLCheckoutTracker(DLTracker(on: engine))
        trendyolDetail = TYProductDetailTracker(TYTracker(on: engine))
        trendyolCheckout = TYCheckoutTracker(TYTracker(on: engine))
    }
}
