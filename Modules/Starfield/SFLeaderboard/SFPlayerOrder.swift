public import CoreTracker

/// An order in which players are listed.
public enum SFPlayerOrder: String, ParameterRepresentable, Hashable, CaseIterable {
    /// By nickname, from A to Z.
    case nickname
    /// By score, the highest first.
    case score
}
