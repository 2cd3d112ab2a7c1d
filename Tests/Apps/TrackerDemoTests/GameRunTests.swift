import SFGame
import Testing

@testable import TrackerDemo

@Suite(.timeLimit(.minutes(5))) struct GameRunTests {
    @Test func `a game without a terminal plays by itself and ends with its ledger`() async throws {
        let run = try await DemoRun(["--game", "--seed", "7"])

        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors == "")
        #expect(run.output.contains("Starfield, seed 7\ngame 1: "))
        #expect(run.output.contains("leaderboard by score: 1. CoolMan 1560, 2. AnotherGuyProgrammer 1090, "))
        #expect(run.output.contains("leaderboard by nickname: 1. AnotherGuyProgrammer "))
        #expect(run.output.contains("SF       awesomeTracking") && !run.output.contains("\nDL "))
        #expect(!run.output.contains("\u{1B}") && !run.output.contains("\r"))
    }

    @Test func `headless games deliver every event, and the same number for the same seed`() async throws {
        let arguments = ["--game", "--headless", "--games", "3", "--seed", "1", "--json"]

        let first = try await DemoRun(arguments)
        let second = try await DemoRun(arguments)

        let (one, two) = (try first.summary, try second.summary)
        #expect(first.code == 0 && second.code == 0, "\(first.errors)")
        #expect(one.lanes.map(\.product) == ["SF", "SF"])
        #expect(one.lanes.allSatisfy { $0.accepted > 10 && $0.delivered == $0.accepted && $0.dropped.isEmpty })
        #expect(one.lanes.map(\.accepted) == two.lanes.map(\.accepted))
        #expect(one.collector == two.collector)
    }
}

@Suite struct BoardTextTests {
    @Test func `ships are drawn over points, and objects outside the board are left out`() {
        var board = SFBoard()
        board.positions = [(2.4, 1.0), (5, 3), (7, 7), (99, 99), (.nan, 0)].map { SFVector(x: $0.0, y: $0.1) }
        board.ships = [
            SFBoard.Ship(position: SFVector(x: 2.4, y: 1), side: .enemy),
            SFBoard.Ship(position: SFVector(x: 5, y: 3), side: .player),
        ]

        let lines = BoardText.lines(of: board, rules: SFGameRules(width: 10, height: 10))

        #expect(lines.count == 12)
        #expect(lines[2] == "│  W       │")
        #expect(lines[4] == "│     A    │")
        #expect(lines[8] == "│       ·  │")
        #expect(lines.allSatisfy { $0.count == 12 })
    }
}

@Suite struct KeyTests {
    @Test(arguments: [
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [Key.up, .down, .right, .left]),
        ("\u{1B}OA q", [.up, .space, .letter("q")]),
        ("\u{1B}[1;5C", [.right]),
        ("\u{1B}[3~a", [.letter("a")]),
        ("\u{1B}", []),
        ("\u{1B}[", []),
        ("ü\r\n", []),
    ]) func `a terminal's input is parsed into keys`(_ text: String, _ keys: [Key]) {
        #expect(Key.read(Array(text.utf8)) == keys)
    }
}
