package import EventTracking

/// Rewriting the file without the bytes of deleted rows.
///
/// Freed pages contain bytes of deleted rows until they are used again, and a page in use can contain bytes of rows
/// that SQLite has moved to other pages. SQLite does not clear a free page if it reuses it as the end of a long row or
/// as the first page below a root, so free pages are removed before rows are moved. `VACUUM` would rewrite the whole
/// file in one turn, and needs space for a copy of it.
extension SQLiteOutbox {
    /// The stages of a rewrite.
    enum Rewrite {
        /// The free pages are removed from the file.
        case clearing
        /// The segments left in the other table by a killed process are moved into the current one.
        case gathering
        /// All segments are moved into the other table, whose pages are new.
        case moving
        /// The small tables are written again.
        case tables
        /// The pages freed by the other stages are removed from the file.
        case pages
    }

    /// The limits of one step: the size and the number of moved segments, and the number of removed pages.
    private static let step = (bytes: 512_000, segments: 1_024, pages: 64)

    /// Starts a rewrite, or starts one again.
    ///
    /// - Throws: The storage error.
    package func startRewrite() throws(OutboxError) {
        guard path != nil else { return }
        // If a step frees a page and reuses it, the page must not keep its bytes.
        try connection.execute("PRAGMA secure_delete = ON")
        rewrite = .clearing
    }

    /// Makes the next step of a rewrite, which changes about a megabyte.
    ///
    /// - Returns: Whether the rewrite is complete.
    /// - Throws: The storage error. The step can be tried again.
    package func rewriteStep() throws(OutboxError) -> Bool {
        guard path != nil, let stage = rewrite else { return true }
        switch stage {
        case .clearing:
            guard try removeFreePages() else { break }
            if segments.isSplit { rewrite = .gathering } else { startMoving() }
        case .gathering: if try moveSegments() { startMoving() }
        case .moving: if try moveSegments() { rewrite = .tables }
        case .tables:
            try writeSmallTablesAgain()
            rewrite = .pages
        case .pages:
            guard try removeFreePages() else { break }
            // The log is emptied last: it contains all pages changed by the rewrite.
            try checkpoint("TRUNCATE")
            try connection.execute("PRAGMA secure_delete = FAST")
            rewrite = nil
            return true
        }
        try checkpoint("TRUNCATE")
        return false
    }

    /// Rewrites the file without the bytes of deleted rows, in one turn.
    ///
    /// - Throws: The storage error. Some of the bytes may then remain.
    package func compact() throws(OutboxError) {
        try startRewrite()
        while !(try rewriteStep()) {}
    }

    /// Removes free pages from the file.
    ///
    /// - Returns: Whether there are no more.
    private func removeFreePages() throws(OutboxError) -> Bool {
        let before = try connection.integer("PRAGMA freelist_count")
        try connection.execute("PRAGMA incremental_vacuum(\(SQLiteOutbox.step.pages))")
        let after = try connection.integer("PRAGMA freelist_count")
        // A file whose free pages cannot be removed was not made by this library.
        guard after < before || before == 0 else { throw .corrupt }
        return after == 0
    }

    private func startMoving() {
        segments.startMoving()
        rewrite = .moving
    }

    /// Moves the first segments of the other table into the current one.
    ///
    /// - Returns: Whether the other table is empty.
    private func moveSegments() throws(OutboxError) -> Bool {
        let (current, other) = (segments.current, segments.other.name)
        guard let last = try lastOfStep() else {
            // Without a condition, SQLite also overwrites the table's first page, which is never freed.
            try connection.transaction { () throws(OutboxError) in try connection.execute("DELETE FROM \(other)") }
            segments.endMoving()
            return true
        }
        try connection.transaction { () throws(OutboxError) in
            try connection.statement(
                """
                INSERT OR REPLACE INTO \(current.name) (\(current.columns))
                SELECT \(current.columns) FROM \(other) WHERE place <= ?1
                """
            ).run(.integer(last))
            try connection.statement("DELETE FROM \(other) WHERE place <= ?1").run(.integer(last))
            // In a crafted table whose rows are not in order, the first rows would be moved again and again.
            guard try connection.integer("SELECT changes()") > 0 else { throw .corrupt }
        }
        return false
    }

    /// Returns the place of the last segment of the next step, or `nil` if there is none.
    private func lastOfStep() throws(OutboxError) -> Int64? {
        let statement = try connection.statement(
            """
            SELECT place, length(records) FROM \(segments.other.name)
            ORDER BY place LIMIT \(SQLiteOutbox.step.segments)
            """
        )
        defer { statement.reset() }
        var (last, bytes) = (Int64?.none, 0)
        while bytes < SQLiteOutbox.step.bytes, try statement.step() {
            last = statement.integer(0)
            bytes = bytes.saturatingAdd(max(0, Int(clamping: statement.integer(1))))
        }
        return last
    }

    /// Copies the rows of each small table, deletes all of them, and inserts them again.
    private func writeSmallTablesAgain() throws(OutboxError) {
        try connection.transaction { () throws(OutboxError) in
            for table in RowTable.all {
                try connection.execute(
                    """
                    CREATE TEMP TABLE kept AS SELECT * FROM main.\(table.name);
                    DELETE FROM main.\(table.name);
                    INSERT INTO main.\(table.name) SELECT * FROM temp.kept;
                    DROP TABLE temp.kept;
                    """
                )
            }
        }
    }
}
