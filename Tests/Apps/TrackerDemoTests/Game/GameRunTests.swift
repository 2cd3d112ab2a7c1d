import Testing

@Suite struct GameRunTests {
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
