import EventDelivery

/// A collection of times in nanoseconds that returns percentiles.
struct Percentiles: Sendable {
    private(set) var values: [Int64] = []

    /// Creates an empty collection with space for a number of values.
    init(capacity: Int = 0) {
        values.reserveCapacity(capacity)
    }

    /// Adds a value.
    mutating func add(_ value: Int64) {
        values.append(value)
    }

    /// Adds the duration of a closure in nanoseconds.
    mutating func addTime(of body: () -> Void) {
        let start = Stopwatch.now
        body()
        values.append(Stopwatch.now - start)
    }

    /// Adds all values of another collection.
    mutating func add(_ other: Percentiles) {
        values += other.values
    }

    /// Sorts the values.
    ///
    /// Call this before ``value(at:)``.
    mutating func sort() {
        values.sort()
    }

    /// Returns the smallest value at or above the given share of the sorted values, or 0 without values.
    func value(at share: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let rank = Int((share * Double(values.count)).rounded(.up))
        return Double(values[min(max(rank, 1), values.count) - 1])
    }
}

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
