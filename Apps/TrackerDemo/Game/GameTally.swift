import SFGame

/// How the games of a run have ended; of constant size, however many there are.
struct GameTally: Sendable, Equatable {
    /// Games that were played to their end.
    private(set) var games = 0
    private var ends: [SFOutcome: Int] = [:]
    private var best = 0

    /// Takes a game in.
    mutating func count(_ outcome: SFOutcome, score: Int) {
        games += 1
        ends[outcome, default: 0] += 1
        best = max(best, score)
    }

    /// The tally in one line.
    var text: String {
        let counts = SFOutcome.allCases.map { "\(ends[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
        return "\(games) games: \(counts); best score \(best)"
    }
}
