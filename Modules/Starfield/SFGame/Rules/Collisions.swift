/// The collision detection of a game.
enum Collisions {
    /// Applies the collisions of all characters that touch, in the order of the list.
    ///
    /// A character that a collision has destroyed does not collide again.
    ///
    /// - Parameter things: The characters that can collide.
    /// - Returns: The moments to report, in order.
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
