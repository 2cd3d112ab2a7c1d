/// Single times in nanoseconds, to be asked for percentiles.
struct Percentiles: Sendable {
    private(set) var values: [Int64] = []

    /// Creates an empty collection with room for so many values.
    init(capacity: Int = 0) {
        values.reserveCapacity(capacity)
    }

    /// Adds a value.
    mutating func add(_ value: Int64) {
        values.append(value)
    }

    /// Adds the nanoseconds that a body takes.
    mutating func addTime(of body: () -> Void) {
        let start = Stopwatch.now
        body()
        values.append(Stopwatch.now - start)
    }

    /// Adds all values of another collection.
    mutating func add(_ other: Percentiles) {
        values += other.values
    }

    /// Sorts the values, so that they can be asked for.
    mutating func sort() {
        values.sort()
    }

    /// The smallest value that a share of the sorted values does not exceed; 0 without values.
    func value(at share: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let rank = Int((share * Double(values.count)).rounded(.up))
        return Double(values[min(max(rank, 1), values.count) - 1])
    }
}
