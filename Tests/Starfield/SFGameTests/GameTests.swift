import Testing

@testable import SFGame

@Suite struct GameTests {
    private let listener = RecordingListener()

    @Test func `a game has one player and twenty enemies, with their lives and velocities`() {
        let board = makeGame().board

        #expect(board.characters == 21)
        #expect(board.lives == [3] + [Int](repeating: 2, count: 20))
        #expect(board.velocities.count == 21)
        #expect(board.ships.filter { $0.side == .player }.count == 1)
    }

    @Test func `a player, twenty enemies and their bullets are sixty-one characters, with their lives and velocities`()
    {
        let game = Game()
        game.openFire()

        #expect(game.characters.count == 61)
        #expect(game.lives == [3] + [Int](repeating: 2, count: 20) + [Int](repeating: 1, count: 40))
        #expect(game.velocities.count == 61)
        #expect(game.velocities.suffix(40).allSatisfy { $0 == SFVector(x: 0, y: 24) })
        #expect(game.enemies.count == 20 && game.player.lives == 3)
    }

    @Test func `two bullets from each ship make sixty-three characters`() {
        var roster = Roster()
        let shipyard = Shipyard(rules: SFGameRules())
        let ships = [shipyard.player()] + (0..<20).map { shipyard.enemy($0, velocity: .zero) }

        for ship in ships {
            roster.add(ship)
            for _ in 0..<3 { if let bullet = ship.shoot() { roster.add(bullet) } }
        }

        #expect(roster.flying.count == 63)
        #expect(roster.living.map(\.lives).reduce(0, +) == 85)
        #expect(roster.moving.count == 63)
    }

    @Test func `a character of an unknown type takes part until the end`() {
        let game = makeGame()
        game.add(Beacon())

        play(game)

        #expect(game.outcome != nil)
        #expect(game.board.positions.contains(SFVector(x: 3, y: 4)))
    }

    @Test(arguments: [0, 7, UInt64.max - 1])
    func `the same seed and orders give the same moments`(seed: UInt64) {
        let (first, second, other) = (RecordingListener(), RecordingListener(), RecordingListener())

        for (listener, seed) in [(first, seed), (second, seed), (other, seed + 1)] {
            let game = Game(rules: SFGameRules(), seed: seed)
            game.listener = listener
            play(game)
        }

        #expect(first.moments == second.moments)
        #expect(first.moments != other.moments)
    }

    @Test func `a game ends once, at the latest after its last step`() {
        let game = makeGame(SFGameRules(steps: 3))

        game.start()
        for _ in 0..<3 { game.step(.wait) }
        game.step(.wait)

        #expect(game.outcome == .timeUp)
        #expect(listener.moments.filter { if case .over = $0 { true } else { false } }.count == 1)
        #expect(listener.moments.last == .over(.timeUp, score: 0, level: 1, steps: 3))
    }

    @Test func `a game without a listener works the same`() {
        let game = Game(rules: SFGameRules(), seed: 1)

        play(game)

        #expect(game.outcome != nil)
    }

    @Test func `before the start, nothing happens`() {
        let game = makeGame()

        game.step(SFOrder(fires: true))

        #expect(game.board.step == 0)
        #expect(listener.moments.isEmpty)
    }

    private func makeGame(_ rules: SFGameRules = SFGameRules()) -> Game {
        let game = Game(rules: rules, seed: 7)
        game.listener = listener
        return game
    }

    private func play(_ game: Game) {
        var pilot = SFSelfPlay()
        game.start()
        while game.outcome == nil { game.step(pilot.order(on: game.board)) }
    }
}

/// A listener that records the moments of a game.
final class RecordingListener: GameListener {
    private(set) var moments: [GameMoment] = []

    func handle(_ moment: GameMoment) {
        moments.append(moment)
    }
}
