// The part of Network that the modules use, as documented.
import AppleFoundation

@available(macOS 10.14, iOS 12, tvOS 12, watchOS 5, *)
public struct NWPath: Sendable {
    public enum Status: Sendable {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    public var status: Status { .satisfied }
    public var isConstrained: Bool { false }
    public var isExpensive: Bool { false }
}

@available(macOS 10.14, iOS 12, tvOS 12, watchOS 5, *)
public final class NWPathMonitor: @unchecked Sendable {
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? { get { nil } set {} }

    public init() {}

    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}
