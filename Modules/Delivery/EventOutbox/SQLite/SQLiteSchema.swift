import EventTracking

/// The layout of an outbox file: its identification, tables and settings.
enum SQLiteSchema {
    /// The application id of outbox files: "EvtD" in ASCII.
    static let applicationID: Int64 = 0x4576_7444
    /// The version of the layout.
    static let version: Int64 = 3

    /// Returns pragmas that must run before the first table is created.
    ///
    /// They are stored in the file, and running them again would write to it.
    private static func firstSettings(pageSize: Int) -> String {
        "PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL"
    }

    /// The settings of a connection.
    ///
    /// The two `fullfsync` settings only affect Apple platforms. Without them a sync does not preserve the order of
    /// writes in the drive's cache, on which the write-ahead log depends. SQLite overwrites deleted rows in pages that
    /// it writes anyway. Overwriting freed pages too would double the bytes written for a delivered event, and the file
    /// is rewritten without them after a denial or an erasure: ``SQLiteOutbox/rewriteStep()``.
    private static let settings = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA fullfsync = ON;
        PRAGMA checkpoint_fullfsync = ON;
        PRAGMA wal_autocheckpoint = 0;
        PRAGMA mmap_size = 0;
        PRAGMA temp_store = MEMORY;
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        PRAGMA secure_delete = FAST;
        PRAGMA cache_size = -2048;
        """

    /// The statements that create the tables.
    ///
    /// A lane's purpose and last failure are in its row, because its destination may not exist any more. Each commit
    /// writes lanes, so no table has a second index: it would cost one more page. ``SegmentTables`` uses `segment` and
    /// `moved`.
    private static let tables =
        (RowTable.all.map(\.definition) + [SQLiteTable.segment.definition, SQLiteTable.moved.definition])
        .joined(separator: ";\n")

    /// The layout of the tables as SQLite describes it.
    private static let layout = try? layoutOfTables()

    /// Locks a file, and creates its tables if it is empty.
    ///
    /// - Parameters:
    ///   - connection: The connection, which has changed nothing yet.
    ///   - pageSize: The size of the pages of an empty file in bytes.
    /// - Throws: The error if the file cannot be used. Every byte of it is unchanged then.
    static func prepare(_ connection: SQLiteConnection, pageSize: Int) throws(OutboxError) {
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        let found = try connection.integer("PRAGMA user_version")
        let mark = try connection.integer("PRAGMA application_id")
        guard mark == applicationID || (mark == 0 && found == 0), found >= 0 else { throw .corrupt }
        guard found <= version else { throw .newerVersion(Int(found)) }
        guard found == version || found == 0 else { throw .olderVersion(Int(found)) }
        // A non-empty file without this library's identification belongs to another program, because the first
        // transaction writes the identification. A view or a trigger instead of a table could run foreign SQL.
        guard try layout(of: connection) == (found == 0 ? [] : layout) else { throw .corrupt }
        if found == 0 { try connection.execute(firstSettings(pageSize: pageSize)) }
        try connection.execute(settings)
        if found == 0 { try create(on: connection) }
        // In exclusive mode, the first write takes the lock until the connection is closed.
        try connection.execute("BEGIN IMMEDIATE; COMMIT")
        connection.keepsFileOnClose = false
    }

    /// Creates the tables of an empty database.
    ///
    /// The transaction also writes the identification and the row of the state. So a killed process leaves the file
    /// empty or complete, and a file without that row is damaged.
    static func create(on connection: SQLiteConnection) throws(OutboxError) {
        try connection.transaction { () throws(OutboxError) in
            try connection.execute(tables)
            try connection.save(StateRow())
            try connection.execute("PRAGMA application_id = \(applicationID)")
            try connection.execute("PRAGMA user_version = \(version)")
        }
    }

    /// Returns the layout of a database as text.
    private static func layout(of connection: SQLiteConnection) throws(OutboxError) -> [String] {
        let statement = try connection.statement("SELECT type, name, tbl_name, sql FROM sqlite_master")
        defer { statement.reset() }
        var layout: [String] = []
        while try statement.step() {
            var row = SQLiteRow(statement)
            layout.append((1...4).map { _ in row.text() }.joined(separator: "\n"))
        }
        return layout.sorted()
    }

    private static func layoutOfTables() throws(OutboxError) -> [String] {
        let connection = try SQLiteConnection()
        defer { connection.close() }
        try connection.execute(tables)
        return try layout(of: connection)
    }
}
