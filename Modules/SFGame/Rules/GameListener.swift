/// An object that a game tells what happens; the game knows nothing else of it.
protocol GameListener: AnyObject {
    /// Receives a moment, in the order in which moments happen, before the step ends.
    func hear(_ moment: GameMoment)
}
