/// A space shooter without graphics: the same seed and the same orders give the same game.
///
/// It lives where it was made, knows no tracker and no screen, and tells what happens to whoever listens.
final class Game {
    /// Who hears what happens; the game does not keep it alive.
    weak var listener: (any GameListener)?
    /// How the game ended; `nil` before.
    private(set) var outcome: SFOutcome?
    private let rules: SFGameRules
    private let player: CollidingShip
    private let enemies: [CollidingShip]
    private var command: EnemyCommand
    private var roster = Roster()
    private var keeper: ScoreKeeper
    private var steps = 0
    private var isStarted = false

    /// Sets up a game, which nobody has heard of yet.
    init(rules: SFGameRules, seed: UInt64) {
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

    /// Lets a thing take part, whatever it is.
    func add(_ thing: any FlyingThing) {
        roster.add(thing)
    }

    /// Starts the game; does nothing the second time.
    func start() {
        guard !isStarted else { return }
        isStarted = true
        listener?.hear(.started(enemies: enemies.count))
    }

    /// Plays one step of the clock; does nothing before the start and after the end.
    func step(_ order: SFOrder) {
        guard isStarted, outcome == nil else { return }
        steps += 1
        follow(order)
        commandEnemies()
        for thing in roster.moving { thing.advance(by: SFGameRules.stepSeconds) }
        for moment in Collisions.resolve(roster.colliding) { tell(moment) }
        roster.removeGone()
        end()
    }

    /// What is to be seen now.
    var board: SFBoard {
        var board = SFBoard()
        board.ships = roster.shooting.map { SFBoard.Ship(position: $0.position, side: $0.side) }
        board.positions = roster.flying.map(\.position)
        board.lives = roster.living.map(\.lives)
        board.velocities = roster.moving.map(\.velocity)
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
        tell(.shotFired(side: shooter.side))
    }

    private func tell(_ moment: GameMoment) {
        let isLevelUp = keeper.count(moment)
        listener?.hear(moment)
        if isLevelUp { listener?.hear(.levelUp(level: keeper.level)) }
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
        listener?.hear(.over(outcome, score: keeper.score, level: keeper.level, steps: steps))
    }
}
