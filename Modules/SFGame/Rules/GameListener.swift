/// Whoever wants to hear what happens in a game; the game knows nothing else of it.
protocol GameListener: AnyObject {
    /// Hears of a moment, in the order in which moments happen, before the step ends.
    func hear(_ moment: GameMoment)
}
