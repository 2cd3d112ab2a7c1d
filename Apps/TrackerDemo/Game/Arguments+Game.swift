extension Arguments {
    /// Whether a replay or the game runs instead of the shopping journey.
    var isWithoutJourney: Bool { replay != nil || game.isPlayed }

    /// Parses one of the game's options.
    mutating func parseGame(
        _ name: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(DemoError) {
        switch name {
        case "--seed":
            guard let seed = UInt64(try value(of: name, attached, &rest)) else {
                throw .usage("--seed: a number from 0 to \(UInt64.max)")
            }
            game.seed = seed
        case "--games":
            guard let games = Int(try value(of: name, attached, &rest)), (1...1_000_000).contains(games) else {
                throw .usage("--games: a number from 1 to 1000000")
            }
            game.games = games
        default:
            guard attached == nil else { throw .usage("\(name) takes no value") }
            if name == "--headless" { game.isHeadless = true } else { game.isPlayed = true }
        }
    }

    /// Refuses options that conflict with the game.
    func checkGame() throws(DemoError) {
        if game.isPlayed, replay != nil { throw .usage("--game excludes --replay") }
        if !game.isPlayed, game != GameOptions() {
            throw .usage("--seed, --games and --headless belong to --game")
        }
    }
}
