/// A controller of the player's ship, such as a keyboard or the game itself.
public protocol SFPilot {
    /// Returns the order for the next step.
    ///
    /// It is called once before each step.
    ///
    /// - Parameter board: The current state of the game.
    /// - Returns: The order for the player's ship.
    mutating func order(on board: SFBoard) -> SFOrder
}
