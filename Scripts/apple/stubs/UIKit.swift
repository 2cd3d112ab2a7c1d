// The part of UIKit that the modules and apps use, as documented.
@_exported import AppleFoundation

public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)

    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }
}

@MainActor
open class UIResponder: NSObject {}

// The optional requirements of these delegates are required here, so a mistake in a name is an error.
@available(watchOS, unavailable)
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
}

@available(watchOS, unavailable)
extension UIApplicationDelegate {
    public static func main() {}
}

@available(watchOS, unavailable)
@MainActor
open class UIApplication: UIResponder {
    public enum State: Int, Sendable {
        case active
        case inactive
        case background
    }

    public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
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

// MARK: Scenes

@available(tvOS 13, iOS 13, *)
@available(watchOS, unavailable)
@MainActor
open class UIScene: UIResponder {
    open class ConnectionOptions: NSObject {
        open var urlContexts: Set<UIOpenURLContext> { [] }
        open var userActivities: Set<NSUserActivity> { [] }
    }
}

@available(tvOS 13, iOS 13, *)
@available(watchOS, unavailable)
@MainActor
open class UIWindowScene: UIScene {}

@available(tvOS 13, iOS 13, *)
@available(watchOS, unavailable)
@MainActor
open class UISceneSession: NSObject {}

@available(tvOS 13, iOS 13, *)
@available(watchOS, unavailable)
@MainActor
open class UIOpenURLContext: NSObject {
    open var url: URL { fatalError() }
}

@available(tvOS 13, iOS 13, *)
@available(watchOS, unavailable)
@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
}

@available(tvOS 13, iOS 13, *)
@available(watchOS, unavailable)
@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}

// MARK: Views

@available(watchOS, unavailable)
@MainActor
open class UIView: UIResponder {
    public init(frame: CGRect) {}
    public required init?(coder: NSCoder) {}
}

@available(watchOS, unavailable)
@MainActor
open class UIWindow: UIView {
    open var rootViewController: UIViewController?

    @available(iOS 13, tvOS 13, *)
    public init(windowScene: UIWindowScene) { super.init(frame: .zero) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open func makeKeyAndVisible() {}
}

@available(watchOS, unavailable)
@MainActor
open class UIViewController: UIResponder {
    open var view: UIView!

    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
    public required init?(coder: NSCoder) {}

    open func loadView() {}
    open func viewDidAppear(_ animated: Bool) {}
}

@available(watchOS, unavailable)
@MainActor
open class UILabel: UIView {
    open var text: String?

    public convenience init() { self.init(frame: .zero) }
}

@available(watchOS, unavailable)
@MainActor
open class UIStackView: UIView {
    public enum Distribution: Int, Sendable {
        case fill
        case fillEqually
        case fillProportionally
        case equalSpacing
        case equalCentering
    }

    open var axis = NSLayoutConstraint.Axis.horizontal
    open var distribution = Distribution.fill

    public convenience init(arrangedSubviews views: [UIView]) { fatalError() }
}

@available(watchOS, unavailable)
@MainActor
open class NSLayoutConstraint: NSObject {
    public enum Axis: Int, Sendable {
        case horizontal
        case vertical
    }
}

@available(iOS 13, tvOS 13, *)
@available(watchOS, unavailable)
public typealias UIActionHandler = (UIAction) -> Void

@available(iOS 13, tvOS 13, *)
@available(watchOS, unavailable)
@MainActor
open class UIMenuElement: NSObject {}

@available(iOS 13, tvOS 13, *)
@available(watchOS, unavailable)
@MainActor
open class UIAction: UIMenuElement {
    // Without its other parameters, which have defaults too.
    public convenience init(title: String = "", handler: @escaping UIActionHandler) { fatalError() }
}

@available(watchOS, unavailable)
@MainActor
open class UIControl: UIView {}

@available(watchOS, unavailable)
@MainActor
open class UIButton: UIControl {
    @available(iOS 15, tvOS 15, *)
    public struct Configuration {
        public static func filled() -> Configuration { fatalError() }
    }

    @available(iOS 15, tvOS 15, *)
    public convenience init(configuration: Configuration, primaryAction: UIAction? = nil) { fatalError() }
}
