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

/// The random decisions of the enemies.
///
/// They shoot more often on higher levels.
struct EnemyCommand {
    private static let turn = 0.01
    private static let fire = 0.003

    private var random: SplitMix64

    /// Creates a command.
    ///
    /// - Parameter random: The source of the decisions.
    init(random: SplitMix64) {
        self.random = random
    }

    /// Returns a random velocity, in cells per second.
    mutating func velocity() -> SFVector {
        SFVector(x: random.number(from: -3, to: 3), y: random.number(from: -1, to: 1))
    }

    /// Returns a new velocity with a probability of 1 percent, or `nil`.
    mutating func turn() -> SFVector? {
        random.share() < EnemyCommand.turn ? velocity() : nil
    }

    /// Returns whether to shoot now.
    ///
    /// The probability grows with the level.
    mutating func fires(at level: Int) -> Bool {
        random.share() < EnemyCommand.fire * Double(level)
    }
}

/// A pseudorandom number generator (SplitMix64) with the same sequence on every platform.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator.
    ///
    /// - Parameter seed: The start of the sequence.
    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    ///
    /// It uses 53 bits directly, because the standard library's algorithm may change between versions.
    mutating func share() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Returns a number in a range.
    mutating func number(from minimum: Double, to maximum: Double) -> Double {
        minimum + (maximum - minimum) * share()
    }
}
