/// What flies on the board: it is somewhere, and at some time it is gone.
///
/// Whoever uses flying things uses this and the capabilities beside it, and never asks what a thing is. `RosterTests`
/// and `GameTests` pass in a thing that the game has never heard of.
protocol FlyingThing: AnyObject {
    /// Where it is.
    var position: SFVector { get }
    /// Whether it still takes part.
    var isFlying: Bool { get }
    /// Enters itself into the list of every capability that it has.
    func enrol(in roster: inout Roster)
}
