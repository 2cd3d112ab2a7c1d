import SFGame

/// A summary of the games of a run.
///
/// Its size is constant.
struct GameTally: Sendable, Equatable {
    /// The number of games that were played to their end.
    private(set) var games = 0
    private var ends: [SFOutcome: Int] = [:]
    private var best = 0

    /// Adds a game.
    mutating func count(_ outcome: SFOutcome, score: Int) {
        games += 1
        ends[outcome, default: 0] += 1
        best = max(best, score)
    }

    /// The summary in one line.
    var text: String {
        let counts = SFOutcome.allCases.map { "\(ends[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
        return "\(games) games: \(counts); best score \(best)"
    }
}
