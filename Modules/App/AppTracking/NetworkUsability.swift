/// A record of whether the network was usable at the last update.
struct NetworkUsability: Sendable {
    private var wasUsable = true

    /// Updates the state.
    ///
    /// Before the first update, the network counts as usable, because lanes try by themselves after a start.
    ///
    /// - Returns: Whether the network has become usable.
    mutating func update(isUsable: Bool) -> Bool {
        defer { wasUsable = isUsable }
        return isUsable && !wasUsable
    }
}
