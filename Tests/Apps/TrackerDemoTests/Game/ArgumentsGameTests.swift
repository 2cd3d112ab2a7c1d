import Testing

@testable import TrackerDemo

@Suite struct ArgumentsGameTests {
    @Test func `the game has a seed, a number and a mode`() throws {
        let arguments = try Arguments(["--game", "--seed", "42", "--games=1000", "--headless"])

        #expect(arguments.game == GameOptions(isPlayed: true, seed: 42, games: 1_000, isHeadless: true))
    }

    @Test(arguments: [
        ["--seed", "1"], ["--headless"], ["--game", "--seed", "-1"], ["--game", "--games", "0"], ["--game=1"],
        ["--game", "--replay", "clicks.csv"],
    ]) func `invalid options of the game are refused`(_ words: [String]) {
        #expect(throws: DemoError.self) { try Arguments(words) }
    }
}
