import CoreTracker
import FirebaseTracking
import Synchronization

/// An SDK that keeps its calls, and that can be told to do something inside its first one.
final class RecordingFirebaseSDKAdapter: FirebaseSDKAdapter {
    private let recorded = Mutex<[FirebaseEvent]>([])
    private let whenFirstCalled = Mutex<(@Sendable () -> Void)?>(nil)

    var events: [FirebaseEvent] { recorded.withLock { $0 } }

    func logEvent(_ name: String, parameters: EventParameters) {
        recorded.withLock { $0.append(FirebaseEvent(name: name, parameters: parameters)) }
        let body = whenFirstCalled.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }

    /// Runs a body inside the first call that comes.
    func whenFirstCalled(_ body: @escaping @Sendable () -> Void) {
        whenFirstCalled.withLock { $0 = body }
    }
}
