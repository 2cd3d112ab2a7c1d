/// Something to measure, beside the floor that it is held to in the same run.
protocol Figure: Sendable {
    /// The name, as the table and `--filter` spell it.
    var name: String { get }
    /// How many times the floor it may cost.
    var budget: Double { get }
    /// Measures once, in nanoseconds for one call.
    func measure() -> Double
    /// Measures the floor once, in nanoseconds for one call.
    func measureFloor() -> Double
}

extension Figure {
    /// The nanoseconds of one call of a body.
    func nanoseconds(calls: Int = 200_000, _ body: () -> Void) -> Double {
        let time = ContinuousClock().measure { for _ in 0..<calls { body() } }
        let (seconds, attoseconds) = time.components
        return (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(calls)
    }
}
