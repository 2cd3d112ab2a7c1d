import EventDelivery

/// Measures time in nanoseconds by the clock that the delivery engine uses too.
enum Stopwatch {
    private static let clock = SystemClock()

    /// The nanoseconds since the machine's start.
    static var now: Int64 { clock.monotonicTime().nanoseconds }

    /// The nanoseconds that a body takes.
    static func measure(_ body: () throws -> Void) rethrows -> Double {
        let start = now
        try body()
        return Double(now - start)
    }

    /// The nanoseconds of one call of a body, over many.
    static func perCall(calls: Int, _ body: () -> Void) -> Double {
        measure { for _ in 0..<calls { body() } } / Double(calls)
    }
}
