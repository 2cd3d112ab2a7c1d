/// The options of `--game`.
struct GameOptions: Sendable, Equatable {
    /// Whether to play the game instead of the shopping journey.
    var isPlayed = false
    /// The first game's seed, or `nil` for a random one.
    ///
    /// Each further game uses the next number.
    var seed: UInt64?
    /// The number of games.
    var games = 1
    /// Whether the game plays itself at full speed without being drawn.
    var isHeadless = false
}
