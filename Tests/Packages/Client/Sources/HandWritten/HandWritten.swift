import Dispatch
import Synchronization
import SystemSQLite

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A program with the libraries of the client that stores one row in the directory of its first argument.
///
/// Without an argument it only starts.
@main
enum HandWritten {
    /// The row is not stored.
    struct NotStored: Error {
        let code: Int32
    }

    private static let statements = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        CREATE TABLE IF NOT EXISTS event (body TEXT);
        INSERT INTO event VALUES ('{"product_id":"7","price":35.79,"currency":"TRY"}');
        """
    /// The number of stored rows, so that the program uses each library of the client.
    private static let count = Atomic(0)

    static func main() throws {
        guard let path = CommandLine.arguments.dropFirst().first else { return }
        let file = URL(filePath: path).appending(path: "rows.db")
        var database: OpaquePointer?
        let code = DispatchQueue(label: "rows").sync {
            sqlite3_open(file.path, &database) | sqlite3_exec(database, statements, nil, nil, nil)
        }
        guard code == SQLITE_OK else { throw NotStored(code: code) }
        count.add(1, ordering: .relaxed)
    }
}
