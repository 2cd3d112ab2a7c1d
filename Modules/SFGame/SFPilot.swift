/// What flies the player's ship: a keyboard, or the game itself.
public protocol SFPilot {
    /// Decides what to do on this board; asked once before each step.
    mutating func order(on board: SFBoard) -> SFOrder
}
