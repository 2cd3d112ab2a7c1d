/// The layout of an outbox file: its marks, tables and settings, and how an older one becomes the current one.
enum SQLiteSchema {
    /// "EvtD" in ASCII: marks a file as an outbox of this library.
    static let applicationID: Int64 = 0x4576_7444
    /// The layout that this version writes.
    static let version: Int64 = 1

    /// The settings that must stand before the first table is made or the first lock is taken.
    static let settings = """
        PRAGMA page_size = 4096;
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA wal_autocheckpoint = 0;
        PRAGMA journal_size_limit = 1048576;
        PRAGMA mmap_size = 0;
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        PRAGMA secure_delete = FAST;
        PRAGMA cache_size = -2048;
        """

    /// The tables of the current layout.
    ///
    /// The small columns of a pack stand before its records, so that a summary never reads the records' pages.
    static let tables = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE lane (
            number INTEGER PRIMARY KEY, product TEXT NOT NULL, service TEXT NOT NULL,
            accepted INTEGER NOT NULL, delivered INTEGER NOT NULL, quarantined INTEGER NOT NULL,
            dropped TEXT NOT NULL, repaired TEXT NOT NULL, next INTEGER NOT NULL, learned INTEGER NOT NULL,
            wait INTEGER NOT NULL, reason TEXT NOT NULL, failures INTEGER NOT NULL,
            noted INTEGER NOT NULL, boot INTEGER NOT NULL, success INTEGER,
            crc INTEGER NOT NULL, UNIQUE (product, service));
        CREATE TABLE pack (
            place INTEGER PRIMARY KEY, priority INTEGER NOT NULL, count INTEGER NOT NULL, bytes INTEGER NOT NULL,
            wall INTEGER NOT NULL, monotonic INTEGER NOT NULL, boot INTEGER NOT NULL, key TEXT NOT NULL,
            crc INTEGER NOT NULL, records BLOB NOT NULL);
        CREATE TABLE held (
            place INTEGER PRIMARY KEY, priority INTEGER NOT NULL, count INTEGER NOT NULL, bytes INTEGER NOT NULL,
            wall INTEGER NOT NULL, monotonic INTEGER NOT NULL, boot INTEGER NOT NULL, key TEXT NOT NULL,
            crc INTEGER NOT NULL, records BLOB NOT NULL);
        CREATE TABLE batch (
            id BLOB PRIMARY KEY, first INTEGER NOT NULL, packs BLOB NOT NULL, attempts INTEGER NOT NULL,
            suspicion INTEGER NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE quarantine (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, product TEXT NOT NULL, service TEXT NOT NULL,
            reason TEXT NOT NULL, answer TEXT NOT NULL, time INTEGER NOT NULL, key TEXT NOT NULL,
            crc INTEGER NOT NULL, fragment BLOB NOT NULL);
        """

    /// Brings a file to the current layout in one transaction, or throws and leaves it as it is.
    static func prepare(_ connection: SQLiteConnection) throws(OutboxError) {
        let found = try connection.integer("PRAGMA user_version")
        let mark = try connection.integer("PRAGMA application_id")
        if found == version, mark == applicationID { return }
        guard found <= version else { throw .newerVersion(Int(found)) }
        // Anything else than an empty file that is not ours is somebody else's.
        guard mark == applicationID || (mark == 0 && found == 0) else { throw .corrupt }
        let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_master") == 0
        guard isEmpty else { throw .corrupt }
        try connection.transaction { () throws(OutboxError) in
            try connection.execute(tables)
            try connection.execute("PRAGMA application_id = \(applicationID)")
            try connection.execute("PRAGMA user_version = \(version)")
        }
    }
}
