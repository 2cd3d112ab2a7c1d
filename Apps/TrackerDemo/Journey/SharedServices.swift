import CoreTracker
import DLProductDetail
import DLTracker
import Locks
import TYProductDetail
import TYTracker

/// One service under the trackers of two products, and a text for each event that it gets of them.
@MainActor
enum SharedServices {
    /// Shows a product in each product's app, with trackers over one service; returns what the service got, in order.
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
        return "one service shared by both products got: " + shared.texts.joined(separator: ", ")
    }
}

/// A Firebase and an AwesomeTracking service that keeps a text for each event and sends nothing.
private final class SharedService: FirebaseService, AwesomeTrackingService {
    private let kept = Mutex<[String]>([])

    /// The texts, oldest first.
    var texts: [String] { kept.withLock { $0 } }

    func track(_ event: FirebaseEvent) { keep("Firebase \(event.name)") }

    func track(_ event: AwesomeTrackingEvent) {
        let channel = event.defaults["channel"].map { " of channel \($0)" } ?? ""
        keep("AwesomeTracking \(event.name)\(channel)")
    }

    private func keep(_ text: String) { kept.withLock { $0.append(text) } }
}
