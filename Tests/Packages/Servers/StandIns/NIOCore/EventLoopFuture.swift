/// A stand-in of SwiftNIO's future, which no code here waits for.
public final class EventLoopFuture<Value: Sendable>: Sendable {
    public init() {}
}
