import Dispatch
import SFLeaderboard
import Testing

@Suite struct RepositoryStandingsTests {
    private let players = [
        SFPlayer(nickname: "cleo", score: 20), SFPlayer(nickname: "ada", score: 10),
        SFPlayer(nickname: "bob", score: 20),
    ]

    @Test(arguments: [
        (SFPlayerOrder.nickname, ["ada", "bob", "cleo"]), (.score, ["bob", "cleo", "ada"]),
    ])
    func `players are sorted regardless of the repository's order`(order: SFPlayerOrder, nicknames: [String]) throws {
        let standings = RepositoryStandings(repository: StubPlayerRepository(result: .success(players)))

        #expect(try standings.players(by: order).map(\.nickname) == nicknames)
    }

    @Test func `players only need a nickname`() throws {
        let players = [SFPlayer(nickname: "CoolMan"), SFPlayer(nickname: "AnotherGuyProgrammer")]
        let standings = RepositoryStandings(repository: InMemoryPlayerRepository(players))

        #expect(try standings.players(by: .nickname).map(\.nickname) == ["AnotherGuyProgrammer", "CoolMan"])
    }

    @Test(arguments: [(5, 10), (10, 10), (11, 11)])
    func `only a player's best score is kept`(score: Int, best: Int) throws {
        let repository = InMemoryPlayerRepository(players)

        try RepositoryStandings(repository: repository).record(score, of: "ada")

        #expect(repository.players().first { $0.nickname == "ada" }?.score == best)
    }

    @Test func `a player keeps the identifier of the first score, and two players have two`() throws {
        let repository = InMemoryPlayerRepository()
        let standings = RepositoryStandings(repository: repository)

        try standings.record(10, of: "ada")
        try standings.record(5, of: "bob")
        let first = try standings.players(by: .nickname)
        try standings.record(20, of: "ada")
        let second = try standings.players(by: .nickname)

        #expect(first.map(\.id) == second.map(\.id) && first[0].id != first[1].id)
        #expect(second.map(\.score) == [20, 5])
    }

    @Test func `no result is lost if several threads record at once`() {
        let repository = InMemoryPlayerRepository()
        let standings = RepositoryStandings(repository: repository)

        for round in 1...200 {
            DispatchQueue.concurrentPerform(iterations: 4) { try? standings.record(4 * round + $0, of: "ada") }

            #expect(repository.players().map(\.score) == [4 * round + 3])
        }
    }

    @Test func `a failure of the repository reaches the caller`() {
        let standings = RepositoryStandings(repository: StubPlayerRepository(result: .failure(.unreadable("gone"))))

        #expect(throws: SFRepositoryError.unreadable("gone")) { try standings.record(1, of: "ada") }
    }
}

/// A repository that returns a fixed list or fails, and saves nothing.
struct StubPlayerRepository: SFPlayerRepository {
    var result: Result<[SFPlayer], SFRepositoryError>

    func players() throws(SFRepositoryError) -> [SFPlayer] { try result.get() }

    func save(_ player: SFPlayer) throws(SFRepositoryError) { throw .unwritable("a stub keeps nothing") }
}
