/// A stand-in of the signals of swift-service-lifecycle 2.11.0.
public struct UnixSignal: Hashable, Sendable {
    public let rawValue: Int32

    public static let sigint = UnixSignal(rawValue: 2)
    public static let sigterm = UnixSignal(rawValue: 15)
}
