import CoreTracker
import GoogleAnalytics
import Synchronization

/// An adapter that keeps its calls.
final class RecordingAdapter: GoogleAnalyticsAdapter {
    struct Call: Sendable, Hashable {
        var name: String
        var properties: Parameters
    }

    private let recorded = Mutex<[Call]>([])

    var calls: [Call] { recorded.withLock { $0 } }

    func trackEvent(with name: String, properties: Parameters) {
        recorded.withLock { $0.append(Call(name: name, properties: properties)) }
    }
}
