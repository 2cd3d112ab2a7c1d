import Foundation
import SFLeaderboard
import Testing

@Suite struct PlayerRepositoryContractTests {
    /// The repositories that must fulfill the contract.
    enum Kind: CaseIterable {
        case inMemory, file
    }

    @Test(arguments: Kind.allCases)
    func `a new repository has no players`(kind: Kind) throws {
        try withRepository(kind) { repository in
            let players = try repository.players()

            #expect(players.isEmpty)
        }
    }

    @Test(arguments: Kind.allCases)
    func `saved players are found, each nickname once`(kind: Kind) throws {
        try withRepository(kind) { repository in
            try repository.save(SFPlayer(nickname: "ada", score: 10))
            let (bob, ada) = (SFPlayer(nickname: "bob", score: 5), SFPlayer(nickname: "ada", score: 7))
            try repository.save(bob)
            try repository.save(ada)

            let players = try repository.players()
            #expect(Set(players) == [ada, bob])
            #expect(players.count == 2)
        }
    }

    @Test(arguments: Kind.allCases)
    func `standings are the same with any repository`(kind: Kind) throws {
        try withRepository(kind) { repository in
            let standings = RepositoryStandings(repository: repository)

            try standings.record(10, of: "ada")
            try standings.record(30, of: "bob")

            let players = try standings.players(by: .score)
            #expect(players.map(\.nickname) == ["bob", "ada"])
        }
    }

    private func withRepository(_ kind: Kind, _ body: (any SFPlayerRepository) throws -> Void) throws {
        switch kind {
        case .inMemory: try body(InMemoryPlayerRepository())
        case .file:
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("players-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try body(FilePlayerRepository(file: file))
        }
    }
}

@Suite struct FilePlayerRepositoryTests {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("players-\(UUID().uuidString)")

    @Test func `players outlive the object that saved them`() throws {
        defer { try? FileManager.default.removeItem(at: file) }

        let player = SFPlayer(nickname: "ada", score: 10)
        try FilePlayerRepository(file: file).save(player)

        #expect(try FilePlayerRepository(file: file).players() == [player])
    }

    @Test func `a corrupt file is reported and not changed`() throws {
        let damaged = Data("[{".utf8)
        try damaged.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let repository = FilePlayerRepository(file: file)

        #expect(throws: SFRepositoryError.self) { try repository.save(SFPlayer(nickname: "ada", score: 10)) }

        #expect(try Data(contentsOf: file) == damaged)
    }

    @Test func `a missing folder is reported`() {
        let repository = FilePlayerRepository(file: file.appendingPathComponent("players.json"))

        #expect(throws: SFRepositoryError.self) { try repository.save(SFPlayer(nickname: "ada", score: 10)) }
    }
}
