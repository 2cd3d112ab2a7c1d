@testable import SFGame

/// A character of a type that the game does not know, with no capabilities.
final class Beacon: GameObject {
    let position = SFVector(x: 3, y: 4)
    let isFlying = true

    func register(in roster: inout Roster) {
        roster.flying.append(self)
    }
}
