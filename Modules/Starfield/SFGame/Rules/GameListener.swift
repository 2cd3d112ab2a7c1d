/// An object that receives the moments of a game.
protocol GameListener: AnyObject {
    /// Receives a moment.
    ///
    /// Moments arrive in order, before the step ends.
    func handle(_ moment: GameMoment)
}
