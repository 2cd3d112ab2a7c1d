import CoreTracker

/// The names that the game's events share.
extension EventParameter {
    /// How many enemies there are.
    static let enemies = Key<Int>("enemies")
    /// The level, from 1; Firebase's name too.
    static let level = Key<Int>("level")
    /// How many lives are left.
    static let lives = Key<Int>("lives")
    /// How a game ended.
    static let outcome = Key<SFOutcome>("outcome")
    /// The player's points; Firebase's name too.
    static let score = Key<Int>("score")
    /// Whose ship it is.
    static let side = Key<SFSide>("side")
    /// How many steps were played.
    static let steps = Key<Int>("steps")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}
