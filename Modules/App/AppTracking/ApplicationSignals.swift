#if canImport(UIKit) && !os(watchOS)
import Foundation
import Locks
import UIKit

/// A source of signals for an app with `UIApplication`: leaving and entering the foreground, activation, and the first
/// unlock.
///
/// On watchOS and macOS, the app calls ``AppDelivery/receive(_:)`` when its scene's phase changes.
public final class ApplicationSignals: AppSignalSource {
    private let observers = Mutex<[any NSObjectProtocol]>([])

    /// Creates a source that listens to the notifications of `UIApplication`.
    public init() {}

    public func start(_ handler: @escaping @Sendable (AppSignal) -> Void) {
        observe(UIApplication.didEnterBackgroundNotification) { handler(.enteredBackground) }
        observe(UIApplication.willEnterForegroundNotification) { handler(.enteringForeground) }
        observe(UIApplication.didBecomeActiveNotification) { handler(.becameActive) }
        observe(UIApplication.protectedDataDidBecomeAvailableNotification) { handler(.protectedDataBecameAvailable) }
    }

    public func stop() {
        observers.withLock { observers in
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
            observers = []
        }
    }

    /// Without a queue, the block runs while the notification is posted, so background time is requested in time.
    private func observe(_ name: Notification.Name, _ block: @escaping @Sendable () -> Void) {
        observers.withLock { observers in
            let center = NotificationCenter.default
            observers.append(center.addObserver(forName: name, object: nil, queue: nil) { _ in block() })
        }
    }
}
#endif
