/// Finds what runs into what.
enum Collisions {
    /// Lets everything collide that touches, in the order of the list; answers what there is to tell.
    ///
    /// What is gone after a collision takes part in no other.
    static func resolve(_ things: [any Colliding]) -> [GameMoment] {
        var moments: [GameMoment] = []
        let own = things.filter { $0.side == .player }
        let others = things.filter { $0.side != .player }
        for first in own {
            for second in others where first.isFlying && second.isFlying && CollisionHandler.touch(first, second) {
                moments += first.collide() + second.collide()
            }
        }
        return moments
    }
}
