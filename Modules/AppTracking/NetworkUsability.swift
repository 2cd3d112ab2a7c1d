/// Whether the network could be used when it was last looked at.
struct NetworkUsability: Sendable {
    private var wasUsable = true

    /// Takes the present state; returns whether the network has come back with it.
    ///
    /// Until the first look it counts as usable: lanes try by themselves after a start.
    mutating func update(isUsable: Bool) -> Bool {
        defer { wasUsable = isUsable }
        return isUsable && !wasUsable
    }
}
