// Declarations that Apple's documentation lists for Foundation and the toolchain's Foundation lacks.
@_exported import Foundation
@_exported import FoundationNetworking

@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
extension NotificationCenter {
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications { fatalError() }

    public final class Notifications: AsyncSequence, @unchecked Sendable {
        public typealias Element = Notification
        public typealias Failure = Never

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Failure = Never

            public mutating func next() async -> Notification? { fatalError() }
        }

        public func makeAsyncIterator() -> Iterator { fatalError() }
    }
}

// From Security/SecProtocolTypes.h, which Foundation's headers include.
@frozen
public enum tls_protocol_version_t: UInt16, Sendable {
    case TLSv10 = 0x0301
    case TLSv11 = 0x0302
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
}

extension URLSessionConfiguration {
    @available(macOS 10.13, iOS 11, tvOS 11, watchOS 4, *)
    public var waitsForConnectivity: Bool { get { fatalError() } set {} }
    @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
    public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t { get { fatalError() } set {} }
    @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
    public var allowsConstrainedNetworkAccess: Bool { get { fatalError() } set {} }
    @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
    public var allowsExpensiveNetworkAccess: Bool { get { fatalError() } set {} }
}

@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
open class NSUserActivity: NSObject {
    open var webpageURL: URL? { get { nil } set {} }
}

extension ProcessInfo {
    @available(iOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public func disableSuddenTermination() {}
    @available(iOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public func enableSuddenTermination() {}

    @available(macOS, unavailable)
    @available(iOS 8.2, tvOS 9, watchOS 2, *)
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}

    @available(macOS 12, iOS 9, tvOS 9, watchOS 2, *)
    public var isLowPowerModeEnabled: Bool { false }
}

extension NSNotification.Name {
    @available(macOS 12, iOS 9, tvOS 9, watchOS 2, *)
    public static let NSProcessInfoPowerStateDidChange = NSNotification.Name("NSProcessInfoPowerStateDidChange")
}

@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
@available(visionOS, unavailable)
public typealias Process = Foundation.Process
