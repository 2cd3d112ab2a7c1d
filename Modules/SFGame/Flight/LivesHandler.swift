/// Counts lives.
struct LivesHandler {
    /// How many are left, from 0.
    private(set) var count: Int

    /// Starts with some lives.
    init(_ count: Int) {
        self.count = max(0, count)
    }

    /// Takes one life, if one is left.
    mutating func lose() {
        count = max(0, count - 1)
    }
}
