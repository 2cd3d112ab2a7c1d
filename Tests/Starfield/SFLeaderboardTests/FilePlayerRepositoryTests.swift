import Foundation
import SFLeaderboard
import Testing

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
