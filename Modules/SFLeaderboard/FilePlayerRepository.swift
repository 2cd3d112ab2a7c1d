import Locks

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A repository over a file of JSON, which is replaced as a whole, so that it is never half written.
///
/// One object at a time writes a file; calls of one object from several threads wait for each other.
public final class FilePlayerRepository: SFPlayerRepository {
    private let file: Mutex<URL>

    /// Creates a repository; a file that is not there yet holds no players.
    public init(file: URL) {
        self.file = Mutex(file)
    }

    public func players() throws(SFRepositoryError) -> [SFPlayer] {
        try file.withLock { url throws(SFRepositoryError) in
            try FilePlayerRepository.read(url)
        }
    }

    public func save(_ player: SFPlayer) throws(SFRepositoryError) {
        try file.withLock { url throws(SFRepositoryError) in
            let others = try FilePlayerRepository.read(url).filter { $0.nickname != player.nickname }
            try FilePlayerRepository.write(others + [player], to: url)
        }
    }

    private static func read(_ url: URL) throws(SFRepositoryError) -> [SFPlayer] {
        do {
            return try JSONDecoder().decode([SFPlayer].self, from: Data(contentsOf: url))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return []
        } catch {
            throw .unreadable("\(error)")
        }
    }

    private static func write(_ players: [SFPlayer], to url: URL) throws(SFRepositoryError) {
        do {
            try JSONEncoder().encode(players).write(to: url, options: .atomic)
        } catch {
            throw .unwritable("\(error)")
        }
    }
}
