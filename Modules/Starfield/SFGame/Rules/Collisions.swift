/// The collision detection of a game.
enum Collisions {
    /// Applies the collisions of all characters that touch, in the order of the list.
    ///
    /// A character that a collision has destroyed does not collide again.
    ///
    /// - Parameter objects: The characters that can collide.
    /// - Returns: The moments to report, in order.
    static func resolve(_ objects: [any Colliding]) -> [GameMoment] {
        var moments: [GameMoment] = []
        let own = objects.filter { $0.side == .player }
        let others = objects.filter { $0.side != .player }
        for first in own {
            for second in others where first.isFlying && second.isFlying && CollisionHandler.touch(first, second) {
                moments += first.collide() + second.collide()
            }
        }
        return moments
    }
}
