@testable import SFGame

/// A thing that the game has never heard of: it is there, and can do nothing at all.
final class Beacon: FlyingThing {
    let position = SFVector(x: 3, y: 4)
    let isFlying = true

    func enrol(in roster: inout Roster) {
        roster.flying.append(self)
    }
}
