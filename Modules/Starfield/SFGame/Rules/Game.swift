/// A space shooter without graphics.
///
/// The same seed and the same orders give the same game.
///
/// It depends on no tracker and no view. It is not `Sendable`: make all calls from the actor or thread that created it.
///
/// ```swift
/// let game = Game()
/// game.openFire()
/// print(game.characters.count, game.lives, game.velocities)
/// ```
final class Game {
    /// The object that receives the moments of the game.
    ///
    /// The game does not retain it.
    weak var listener: (any GameListener)?
    /// The result of the game, or `nil` while it is running.
    private(set) var outcome: SFOutcome?
    private let rules: SFGameRules
    /// The player's ship.
    let player: CollidingShip
    /// The enemies' ships, including destroyed ones.
    let enemies: [CollidingShip]
    private var command: EnemyCommand
    private var roster = Roster()
    private var keeper: ScoreKeeper
    private var steps = 0
    private var isStarted = false

    /// Creates a game with the player's ship and the enemies' ships.
    ///
    /// - Parameters:
    ///   - rules: The rules of the game. The defaults are 20 enemies with two bullets each.
    ///   - seed: The seed of the enemies' decisions.
    init(rules: SFGameRules = SFGameRules(), seed: UInt64 = 0) {
        let shipyard = Shipyard(rules: rules)
        var command = EnemyCommand(random: SplitMix64(seed: seed))
        self.rules = rules
        player = shipyard.player()
        enemies = (0..<rules.enemies).map { shipyard.enemy($0, velocity: command.velocity()) }
        self.command = command
        keeper = ScoreKeeper(enemiesPerLevel: rules.enemiesPerLevel)
        roster.add(player)
        for enemy in enemies { roster.add(enemy) }
    }

    /// Adds a character of any type.
    ///
    /// - Parameter character: The character.
    func add(_ character: any GameObject) {
        roster.add(character)
    }

    /// Fires bullets from each enemy until each has the maximum number in flight.
    func openFire() {
        for enemy in enemies where enemy.isFlying {
            for _ in 0..<rules.bulletsPerShip { fire(enemy) }
        }
    }

    /// Starts the game.
    ///
    /// A second call does nothing.
    func start() {
        guard !isStarted else { return }
        isStarted = true
        listener?.handle(.started(enemies: enemies.count))
    }

    /// Plays one step.
    ///
    /// Before the start and after the end of the game, nothing happens.
    ///
    /// - Parameter order: The pilot's order for the player's ship.
    func step(_ order: SFOrder) {
        guard isStarted, outcome == nil else { return }
        steps += 1
        follow(order)
        commandEnemies()
        for object in roster.moving { object.advance(by: SFGameRules.stepSeconds) }
        for moment in Collisions.resolve(roster.colliding) { report(moment) }
        roster.removeGone()
        end()
    }

    /// All characters, ships and bullets, in the order in which they joined the game.
    var characters: [any GameObject] { roster.flying }

    /// The lives of each character with lives, in the same order.
    var lives: [Int] { roster.living.map(\.lives) }

    /// The velocities of all moving characters, in the same order.
    var velocities: [SFVector] { roster.moving.map(\.velocity) }

    /// A snapshot of the game for its view.
    var board: SFBoard {
        var board = SFBoard()
        board.ships = roster.shooting.map { SFBoard.Ship(position: $0.position, side: $0.side) }
        board.positions = roster.flying.map(\.position)
        board.lives = lives
        board.velocities = velocities
        board.playerLives = player.lives
        board.score = keeper.score
        board.level = keeper.level
        board.step = steps
        return board
    }
}

extension Game {
    private func follow(_ order: SFOrder) {
        player.steer(order.clampedHeading * Shipyard.playerSpeed)
        if order.fires { fire(player) }
    }

    private func commandEnemies() {
        for enemy in enemies where enemy.isFlying {
            if let velocity = command.turn() { enemy.steer(velocity) }
            if command.fires(at: keeper.level) { fire(enemy) }
        }
    }

    private func fire(_ shooter: any Shooting) {
        guard let bullet = shooter.shoot() else { return }
        roster.add(bullet)
        report(.shotFired(side: shooter.side))
    }

    private func report(_ moment: GameMoment) {
        let isLevelUp = keeper.count(moment)
        listener?.handle(moment)
        if isLevelUp { listener?.handle(.levelUp(level: keeper.level)) }
    }

    private func end() {
        if !player.isFlying {
            outcome = .lost
        } else if enemies.allSatisfy({ !$0.isFlying }) {
            outcome = .won
        } else if steps >= rules.steps {
            outcome = .timeUp
        }
        guard let outcome else { return }
        listener?.handle(.over(outcome, score: keeper.score, level: keeper.level, steps: steps))
    }
}

/// An object that receives the moments of a game.
protocol GameListener: AnyObject {
    /// Receives a moment.
    ///
    /// Moments arrive in order, before the step ends.
    func handle(_ moment: GameMoment)
}

/// A moment of a game, which its listener receives.
enum GameMoment: Sendable, Hashable {
    /// The game started.
    case started(enemies: Int)
    /// A ship fired a bullet.
    case shotFired(side: SFSide)
    /// A ship lost a life.
    case shipHit(side: SFSide, livesLeft: Int)
    /// A ship lost its last life.
    case shipDestroyed(side: SFSide)
    /// The player reached a new level.
    case levelUp(level: Int)
    /// The game ended.
    case over(SFOutcome, score: Int, level: Int, steps: Int)
}

/// The collision detection of a game.
enum Collisions {
    /// Applies the collisions of all touching characters, in the order of the list.
    ///
    /// A destroyed character does not collide again.
    ///
    /// - Parameter objects: The ``Colliding`` characters.
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

/// A counter of the player's points and level.
struct ScoreKeeper {
    private let enemiesPerLevel: Int
    private var destroyed = 0
    /// The points: 10 for each hit of an enemy, and 100 more if the hit destroys it.
    private(set) var score = 0
    /// The level, from 1.
    private(set) var level = 1

    /// Creates a counter at level 1 without points.
    init(enemiesPerLevel: Int) {
        self.enemiesPerLevel = max(1, enemiesPerLevel)
    }

    /// Counts a moment.
    ///
    /// - Parameter moment: A moment of the game.
    /// - Returns: Whether the moment completed a level.
    mutating func count(_ moment: GameMoment) -> Bool {
        switch moment {
        case .shipHit(.enemy, _): score += 10
        case .shipDestroyed(.enemy):
            score += 100
            destroyed += 1
            let reached = 1 + destroyed / enemiesPerLevel
            defer { level = reached }
            return reached > level
        default: break
        }
        return false
    }
}
