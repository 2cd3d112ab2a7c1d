/// What the user has asked for with `--game`.
struct GameOptions: Sendable, Equatable {
    /// Whether the game is played instead of the shopping journey.
    var isPlayed = false
    /// The first game's seed, `nil` for one by chance.
    ///
    /// Each further game takes the next number.
    var seed: UInt64?
    /// How many games are played.
    var games = 1
    /// Whether the game plays by itself, as fast as it can, and is not drawn.
    var isHeadless = false
}
