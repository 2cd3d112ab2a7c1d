// The part of UIKit that the modules use, as documented.
@_exported import AppleFoundation

public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)

    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }
}

@MainActor
open class UIResponder: NSObject {}

@available(watchOS, unavailable)
@MainActor
open class UIApplication: UIResponder {
    public enum State: Int, Sendable {
        case active
        case inactive
        case background
    }

    nonisolated public static let didBecomeActiveNotification = Notification.Name("")
    nonisolated public static let didEnterBackgroundNotification = Notification.Name("")
    nonisolated public static let protectedDataDidBecomeAvailableNotification = Notification.Name("")
    nonisolated public static let protectedDataWillBecomeUnavailableNotification = Notification.Name("")
    nonisolated public static let willEnterForegroundNotification = Notification.Name("")
    nonisolated public static let willResignActiveNotification = Notification.Name("")
    nonisolated public static let willTerminateNotification = Notification.Name("")

    @available(iOSApplicationExtension, unavailable)
    public class var shared: UIApplication { fatalError() }
    public var applicationState: State { .active }

    nonisolated open func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { fatalError() }

    nonisolated open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}
