import Locks

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A repository in a JSON file.
///
/// Each change replaces the file atomically. Only one object may write a file at a time. An object can be used from
/// several threads; its calls are serialized.
public final class FilePlayerRepository: SFPlayerRepository {
    private let file: Mutex<URL>

    /// Creates a repository.
    ///
    /// - Parameter file: The location of the file. If there is no file yet, the repository is empty.
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
