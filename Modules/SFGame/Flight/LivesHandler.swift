/// Counts lives.
public struct LivesHandler: Sendable {
    /// How many are left, from 0.
    public private(set) var count: Int

    /// Starts with some lives.
    public init(_ count: Int) {
        self.count = max(0, count)
    }

    /// Takes one life, if one is left.
    public mutating func lose() {
        count = max(0, count - 1)
    }
}
