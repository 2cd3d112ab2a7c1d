/// A builder of ships, which composes their handlers according to the rules.
struct Shipyard {
    /// The speed of the player's ship, in cells per second.
    static let playerSpeed = 16.0
    private static let bulletSpeed = 24.0

    /// The rules of the game.
    let rules: SFGameRules

    /// Returns the player's ship, at the bottom center.
    func player() -> CollidingShip {
        let motion = MovingHandler(
            position: SFVector(x: Double(rules.width) / 2, y: Double(rules.height) - 2),
            bounds: bounds(from: 0.7, to: 1),
            edge: StoppingEdge()
        )
        return ship(.player, lives: rules.playerLives, motion: motion, speed: -Shipyard.bulletSpeed)
    }

    /// Returns an enemy's ship.
    ///
    /// Enemies start in rows of ten from the top.
    ///
    /// - Parameters:
    ///   - number: The number of the enemy, from 0.
    ///   - velocity: The velocity, in cells per second.
    /// - Returns: The ship.
    func enemy(_ number: Int, velocity: SFVector) -> CollidingShip {
        let column = Double(number % 10) + 0.5
        let motion = MovingHandler(
            position: SFVector(x: column * Double(rules.width) / 10, y: 1 + 2 * Double(number / 10)),
            velocity: velocity,
            bounds: bounds(from: 0, to: 0.5),
            edge: BouncingEdge()
        )
        return ship(.enemy, lives: rules.enemyLives, motion: motion, speed: Shipyard.bulletSpeed)
    }

    private func ship(_ side: SFSide, lives: Int, motion: MovingHandler, speed: Double) -> CollidingShip {
        let gun = ShootingHandler(
            side: side,
            limit: rules.bulletsPerShip,
            velocity: SFVector(x: 0, y: speed),
            bounds: bounds(from: 0, to: 1)
        )
        return CollidingShip(Ship(side: side, lives: LivesHandler(lives), motion: motion, gun: gun))
    }

    /// Returns the part of the board between two fractions of its height.
    private func bounds(from top: Double, to bottom: Double) -> Bounds {
        let height = Double(rules.height - 1)
        return Bounds(
            minimum: SFVector(x: 0, y: top * height),
            maximum: SFVector(x: Double(rules.width - 1), y: bottom * height)
        )
    }
}
