/// A handler that counts lives.
public struct LivesHandler: Sendable {
    /// The number of lives that are left, from 0.
    public private(set) var count: Int

    /// Creates a handler.
    ///
    /// - Parameter count: The number of lives. Negative values count as 0.
    public init(_ count: Int) {
        self.count = max(0, count)
    }

    /// Removes one life, if any is left.
    public mutating func lose() {
        count = max(0, count - 1)
    }
}
