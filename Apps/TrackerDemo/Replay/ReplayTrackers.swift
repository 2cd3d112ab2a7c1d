import DLCheckout
import DLProductDetail
import DLTracker
import EventDelivery
import TYCheckout
import TYProductDetail
import TYTracker

/// The features' trackers on the engine of a replay.
struct ReplayTrackers: Sendable {
    /// Dolap Lite's product detail.
    let dolapLiteDetail: DLProductDetailTracker
    /// Dolap Lite's checkout.
    let dolapLiteCheckout: DLCheckoutTracker
    /// Trendyol's product detail.
    let trendyolDetail: TYProductDetailTracker
    /// Trendyol's checkout.
    let trendyolCheckout: TYCheckoutTracker

    /// Creates trackers whose services deliver by an engine.
    init(on engine: DeliveryEngine) {
        dolapLiteDetail = DLProductDetailTracker(
            firebaseService: DLTracker.services.firebase(on: engine),
            awesomeTrackingService: DLTracker.services.awesomeTracking(on: engine)
        )
        dolapLiteCheckout = DLCheckoutTracker(
            firebaseService: DLTracker.services.firebase(on: engine),
            awesomeTrackingService: DLTracker.services.awesomeTracking(on: engine)
        )
        trendyolDetail = TYProductDetailTracker(
            firebaseService: TYTracker.services.firebase(on: engine),
            awesomeTrackingService: TYTracker.services.awesomeTracking(on: engine)
        )
        trendyolCheckout = TYCheckoutTracker(
            firebaseService: TYTracker.services.firebase(on: engine),
            awesomeTrackingService: TYTracker.services.awesomeTracking(on: engine)
        )
    }
}
