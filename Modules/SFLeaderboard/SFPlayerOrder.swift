/// In which order players are listed.
public enum SFPlayerOrder: String, Sendable, Hashable, CaseIterable {
    /// By nickname, from A to Z.
    case nickname
    /// By score, the highest first.
    case score
}
