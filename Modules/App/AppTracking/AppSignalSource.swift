public import EventTracking
import Locks

#if canImport(Darwin)
import Foundation
#endif
#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif
#if canImport(Network)
import Dispatch
import Network
#endif

/// A change of the app's state that affects delivery.
public enum AppSignal: Sendable, Hashable {
    /// The app has left the foreground.
    ///
    /// The system may suspend it soon.
    case enteredBackground
    /// The app is about to enter the foreground.
    case enteringForeground
    /// The app is active: the user sees it and can interact with it.
    ///
    /// Further signals without `enteredBackground` in between, such as after a system dialog, change nothing.
    case becameActive
    /// The network is usable again, or the user has signed in to a captive portal.
    case networkReturned
    /// A condition of the network or the device holds now, or no longer.
    ///
    /// It matters only to lanes for which the app called ``AppDelivery/hold(_:when:)``.
    case conditionChanged(HoldReason, isMet: Bool)
    /// The device was unlocked for the first time since its start, so files can be read.
    case protectedDataBecameAvailable
}

/// A source of signals, such as the application's notifications or the network's path.
///
/// Contract: `start` is called once, and returns at once. The handler may be called from any thread. For
/// `.enteredBackground` it is called before the notification's block returns, because the app may be suspended right
/// after it. After `stop` the handler is not called again.
public protocol AppSignalSource: Sendable {
    /// Starts calling the handler with each signal.
    ///
    /// - Parameter handler: Receives the signals, on any thread.
    func start(_ handler: @escaping @Sendable (AppSignal) -> Void)
    /// Stops calling the handler.
    func stop()
}

#if canImport(UIKit) && !os(watchOS)
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
        // The app may be active already. Only this state is sure: in an app with scenes, the state is *background*
        // during every launch.
        Task { @MainActor in
            if UIApplication.shared.applicationState == .active { handler(.becameActive) }
        }
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

#if canImport(Network)
/// A source of signals from the system's path monitor: the network is usable again, expensive or constrained.
public final class NetworkSignals: AppSignalSource {
    private let monitor = NWPathMonitor()
    private let usability = Mutex(NetworkUsability())

    /// Creates a source that monitors the default path.
    public init() {}

    public func start(_ handler: @escaping @Sendable (AppSignal) -> Void) {
        monitor.pathUpdateHandler = { [weak self] path in
            let hasReturned = self?.usability.withLock { $0.update(isUsable: path.status == .satisfied) }
            handler(.conditionChanged(.expensiveNetwork, isMet: path.isExpensive))
            handler(.conditionChanged(.constrainedNetwork, isMet: path.isConstrained))
            if hasReturned == true { handler(.networkReturned) }
        }
        monitor.start(queue: DispatchQueue(label: "AppTracking.network"))
    }

    public func stop() {
        monitor.cancel()
    }
}
#endif

#if canImport(Darwin)
/// A source of signals for Low Power Mode.
public final class PowerSignals: AppSignalSource {
    private let observer = Mutex<(any NSObjectProtocol)?>(nil)

    /// Creates a source that listens to the power state of the process.
    public init() {}

    public func start(_ handler: @escaping @Sendable (AppSignal) -> Void) {
        let report: @Sendable () -> Void = {
            handler(.conditionChanged(.lowPower, isMet: ProcessInfo.processInfo.isLowPowerModeEnabled))
        }
        observer.withLock { observer in
            let name = Notification.Name.NSProcessInfoPowerStateDidChange
            observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in report() }
        }
        report()
    }

    public func stop() {
        observer.withLock { observer in
            if let known = observer { NotificationCenter.default.removeObserver(known) }
            observer = nil
        }
    }
}
#endif

/// A record of whether the network was usable at the last update.
struct NetworkUsability: Sendable {
    private var wasUsable = true

    /// Updates the state.
    ///
    /// Before the first update, the network counts as usable, because lanes try by themselves after a start.
    ///
    /// - Returns: Whether the network has become usable.
    mutating func update(isUsable: Bool) -> Bool {
        defer { wasUsable = isUsable }
        return isUsable && !wasUsable
    }
}
