import EventDelivery

/// A stopwatch in nanoseconds that uses the delivery engine's clock.
enum Stopwatch {
    private static let clock = SystemClock()

    /// The nanoseconds since the machine started.
    static var now: Int64 { clock.monotonicTime().nanoseconds }

    /// Returns the duration of a closure in nanoseconds.
    static func measure(_ body: () throws -> Void) rethrows -> Double {
        let start = now
        try body()
        return Double(now - start)
    }

    /// Returns the average duration of a call in nanoseconds.
    static func perCall(calls: Int, _ body: () -> Void) -> Double {
        measure { for _ in 0..<calls { body() } } / Double(calls)
    }
}
