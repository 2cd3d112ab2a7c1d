import CoreTracker
import DLProductDetail
import DLTracker
import Locks
import TYProductDetail
import TYTracker

/// A demonstration of one service under the trackers of two products.
///
/// It records a text for each event.
@MainActor
enum SharedServices {
    /// Shows one product in each app, with trackers over one service.
    ///
    /// - Returns: The service's events in order.
    static func show(_ dolapLiteProduct: DLProduct, _ trendyolProduct: TYProduct) -> String {
        let shared = SharedService()
        let dolapLite = DLTracker(
            firebaseService: shared,
            awesomeTrackingService: DLAwesomeTrackingService(over: shared)
        )
        let trendyol = TYTracker(
            firebaseService: shared,
            awesomeTrackingService: TYAwesomeTrackingService(over: shared)
        )
        DLProductDetailPresenter(product: dolapLiteProduct, tracker: DLProductDetailTracker(dolapLite)).appear()
        TYProductDetailPresenter(product: trendyolProduct, tracker: TYProductDetailTracker(trendyol)).appear()
        return "one service shared by both products received: " + shared.texts.joined(separator: ", ")
    }
}

/// A Firebase and AwesomeTracking service that records a text for each event and sends nothing.
private final class SharedService: FirebaseService, AwesomeTrackingService {
    private let kept = Mutex<[String]>([])

    /// The texts, oldest first.
    var texts: [String] { kept.withLock { $0 } }

    func track(_ event: FirebaseEvent) { record("Firebase \(event.name)") }

    func track(_ event: AwesomeTrackingEvent) {
        let channel = event.defaults["channel"].map { " of channel \($0)" } ?? ""
        record("AwesomeTracking \(event.name)\(channel)")
    }

    private func record(_ text: String) { kept.withLock { $0.append(text) } }
}
