import EventBuffer

/// The layout of an outbox file: its identification, tables and settings, and the steps from older layouts.
enum SQLiteSchema {
    /// The application ID of outbox files: "EvtD" in ASCII.
    static let applicationID: Int64 = 0x4576_7444

    /// The steps from an empty file to the current layout, one for each version.
    ///
    /// A released step is never changed. To change the layout, append a step, and keep a file of the previous version
    /// among the fixtures of the tests.
    static let steps = [version1]

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
    /// writes in the drive's cache, on which the write-ahead log depends.
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

    /// The small columns of a segment precede its records, so reading a summary never reads the records' pages.
    ///
    /// A lane's purpose and last failure are in its row, because its destination may not exist any more. The column
    /// `key` of a segment contains the batch key and a ``UserHash``.
    private static let version1 = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE lane (
            number INTEGER PRIMARY KEY, product TEXT NOT NULL, service TEXT NOT NULL,
            accepted INTEGER NOT NULL, delivered INTEGER NOT NULL, quarantined INTEGER NOT NULL,
            dropped TEXT NOT NULL, repaired TEXT NOT NULL, next INTEGER NOT NULL, learned INTEGER NOT NULL,
            wait INTEGER NOT NULL, reason TEXT NOT NULL, failures INTEGER NOT NULL,
            noted INTEGER NOT NULL, boot INTEGER NOT NULL, success INTEGER,
            crc INTEGER NOT NULL, purpose TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '',
            UNIQUE (product, service));
        CREATE TABLE usage (
            lane INTEGER PRIMARY KEY, low INTEGER NOT NULL, normal INTEGER NOT NULL, high INTEGER NOT NULL,
            bytes INTEGER NOT NULL, held INTEGER NOT NULL, held_bytes INTEGER NOT NULL, crc INTEGER NOT NULL);
        CREATE TABLE segment (
            place INTEGER PRIMARY KEY, priority INTEGER NOT NULL, count INTEGER NOT NULL, bytes INTEGER NOT NULL,
            wall INTEGER NOT NULL, monotonic INTEGER NOT NULL, boot INTEGER NOT NULL, key TEXT NOT NULL,
            crc INTEGER NOT NULL, records BLOB NOT NULL);
        CREATE TABLE held (
            place INTEGER PRIMARY KEY, priority INTEGER NOT NULL, count INTEGER NOT NULL, bytes INTEGER NOT NULL,
            wall INTEGER NOT NULL, monotonic INTEGER NOT NULL, boot INTEGER NOT NULL, key TEXT NOT NULL,
            crc INTEGER NOT NULL, records BLOB NOT NULL);
        CREATE TABLE batch (
            id BLOB PRIMARY KEY, first INTEGER NOT NULL, segments BLOB NOT NULL, attempts INTEGER NOT NULL,
            suspicion INTEGER NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE quarantine (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, product TEXT NOT NULL, service TEXT NOT NULL,
            reason TEXT NOT NULL, answer TEXT NOT NULL, time INTEGER NOT NULL, key TEXT NOT NULL,
            crc INTEGER NOT NULL, fragment BLOB NOT NULL);
        """

    /// The expected layouts, by version.
    private static let layouts = (0...steps.count).map { try? layout(after: steps.prefix($0)) }

    /// Locks a file, and migrates it to the current layout.
    ///
    /// Each step is one transaction that also sets the version, so a killed process leaves it done or undone.
    ///
    /// - Throws: The error if the file cannot be used. Every byte of it is unchanged then.
    static func prepare(_ connection: SQLiteConnection, steps: [String] = steps) throws(OutboxError) {
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        let found = Int(try connection.integer("PRAGMA user_version"))
        let mark = try connection.integer("PRAGMA application_id")
        guard mark == applicationID || (mark == 0 && found == 0) else { throw .corrupt }
        guard found <= steps.count else { throw .newerVersion(found) }
        // A file that is not empty and lacks this library's identification belongs to another program, because the
        // first transaction writes the identification. A view or a trigger instead of a table could run foreign SQL.
        guard found >= 0, try layout(of: connection) == expectedLayout(version: found, steps) else { throw .corrupt }
        connection.allowRows()
        if found == 0 { try connection.execute(firstSettings) }
        try connection.execute(settings)
        for version in found..<steps.count {
            try connection.transaction { () throws(OutboxError) in
                try connection.execute(steps[version])
                try connection.execute("PRAGMA application_id = \(applicationID)")
                try connection.execute("PRAGMA user_version = \(version + 1)")
            }
        }
        // In exclusive mode, the first write takes the lock until the connection is closed.
        try connection.execute("BEGIN IMMEDIATE; COMMIT")
        connection.keepsFileOnClose = false
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

    private static func expectedLayout(version: Int, _ steps: [String]) throws(OutboxError) -> [String] {
        if steps == self.steps, let layout = layouts[version] { return layout }
        return try layout(after: steps.prefix(version))
    }

    private static func layout(after steps: ArraySlice<String>) throws(OutboxError) -> [String] {
        let connection = try SQLiteConnection.inMemory()
        defer { connection.close() }
        for step in steps { try connection.execute(step) }
        return try layout(of: connection)
    }
}
