import EventBuffer

/// The layout of an outbox file: its identification, tables and settings.
enum SQLiteSchema {
    /// The application id of outbox files: "EvtD" in ASCII.
    static let applicationID: Int64 = 0x4576_7444
    /// The version of the layout.
    static let version: Int64 = 4

    /// Pragmas that must run before the first table is created.
    ///
    /// They are stored in the file, and running them again would write to it.
    private static let firstSettings = """
        PRAGMA page_size = 4096;
        PRAGMA auto_vacuum = INCREMENTAL;
        """

    /// The settings of a connection.
    ///
    /// The two `fullfsync` settings only affect Apple platforms. Without them a sync does not preserve the order of
    /// writes in the drive's cache, on which the write-ahead log depends. SQLite overwrites deleted rows in
    /// pages that it writes anyway. Overwriting freed pages too would double the bytes written for a delivered event, and
    /// the file is rewritten without them after a denial or an erasure: ``SQLiteOutbox/rewriteStep()``.
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

    /// The tables.
    ///
    /// The small columns of a segment precede its records, so reading a summary never reads the records' pages. A
    /// lane's purpose and last failure are in its row, because its destination may not exist any more. Each commit writes
    /// lanes, so they have no second index: it would cost one more page. ``SegmentTables`` uses `segment` and `moved`.
    private static let tables = """
        CREATE TABLE state (
            id INTEGER PRIMARY KEY, number INTEGER NOT NULL, scrub INTEGER NOT NULL, installation TEXT NOT NULL,
            session TEXT NOT NULL, session_start INTEGER NOT NULL, session_number INTEGER NOT NULL,
            session_last INTEGER NOT NULL,
            decisions INTEGER NOT NULL, erasures INTEGER NOT NULL, followed INTEGER NOT NULL,
            crc INTEGER NOT NULL, barriers INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE decision (
            purpose TEXT PRIMARY KEY, consent TEXT NOT NULL, number INTEGER NOT NULL, denial INTEGER NOT NULL,
            crc INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE erasure (number INTEGER PRIMARY KEY, user INTEGER, crc INTEGER NOT NULL);
        CREATE TABLE lane (
            number INTEGER PRIMARY KEY, product TEXT NOT NULL, service TEXT NOT NULL, purpose TEXT NOT NULL,
            accepted INTEGER NOT NULL, delivered INTEGER NOT NULL, quarantined INTEGER NOT NULL,
            dropped TEXT NOT NULL, adjusted TEXT NOT NULL, next INTEGER NOT NULL, void INTEGER NOT NULL,
            low INTEGER NOT NULL, normal INTEGER NOT NULL, high INTEGER NOT NULL, bytes INTEGER NOT NULL,
            body INTEGER NOT NULL, wait INTEGER NOT NULL, reason TEXT NOT NULL, failures INTEGER NOT NULL,
            noted INTEGER NOT NULL, boot INTEGER NOT NULL, success INTEGER NOT NULL, failure TEXT NOT NULL,
            crc INTEGER NOT NULL);
        CREATE TABLE segment (
            place INTEGER PRIMARY KEY, decision INTEGER NOT NULL, priority INTEGER NOT NULL, count INTEGER NOT NULL,
            bytes INTEGER NOT NULL, wall INTEGER NOT NULL, monotonic INTEGER NOT NULL, boot INTEGER NOT NULL,
            user INTEGER NOT NULL, key TEXT NOT NULL, crc INTEGER NOT NULL, records BLOB NOT NULL);
        CREATE TABLE moved (
            place INTEGER PRIMARY KEY, decision INTEGER NOT NULL, priority INTEGER NOT NULL, count INTEGER NOT NULL,
            bytes INTEGER NOT NULL, wall INTEGER NOT NULL, monotonic INTEGER NOT NULL, boot INTEGER NOT NULL,
            user INTEGER NOT NULL, key TEXT NOT NULL, crc INTEGER NOT NULL, records BLOB NOT NULL);
        CREATE TABLE batch (
            id BLOB PRIMARY KEY, first INTEGER NOT NULL, segments BLOB NOT NULL, attempts INTEGER NOT NULL,
            crc INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE quarantine (
            position INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, product TEXT NOT NULL, service TEXT NOT NULL,
            decision INTEGER NOT NULL, user INTEGER NOT NULL, reason TEXT NOT NULL, response TEXT NOT NULL,
            time INTEGER NOT NULL, key TEXT NOT NULL, crc INTEGER NOT NULL, fragment BLOB NOT NULL);
        """

    /// The layout of the tables as SQLite describes it.
    private static let layout = try? layoutOfTables()

    /// Locks a file, and creates its tables if it is empty.
    ///
    /// - Parameter connection: The connection, which has changed nothing yet.
    /// - Throws: The error if the file cannot be used. Every byte of it is unchanged then.
    static func prepare(_ connection: SQLiteConnection) throws(OutboxError) {
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        let found = try connection.integer("PRAGMA user_version")
        let mark = try connection.integer("PRAGMA application_id")
        guard mark == applicationID || (mark == 0 && found == 0), found >= 0 else { throw .corrupt }
        guard found <= version else { throw .newerVersion(Int(found)) }
        guard found == version || found == 0 else { throw .corrupt }
        // A file that is not empty and lacks this library's identification belongs to another program, because the
        // first transaction writes the identification. A view or a trigger instead of a table could run foreign SQL.
        guard try layout(of: connection) == (found == 0 ? [] : layout) else { throw .corrupt }
        connection.allowRows()
        if found == 0 { try connection.execute(firstSettings) }
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
            try SQLiteOutbox.save(PrivacyStateRow(), on: connection)
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
        let connection = try SQLiteConnection.inMemory()
        defer { connection.close() }
        try connection.execute(tables)
        return try layout(of: connection)
    }
}
