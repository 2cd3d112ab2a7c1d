import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file of a record, on a queue of its own.
actor SentFile {
    /// The maximum size of the file in bytes.
    private static let maximumBytes = 8_000_000

    private nonisolated let executor: any SerialExecutor
    private let url: URL?
    private let report: @Sendable (String) -> Void
    /// The record.
    private var counts = SentCounts()
    /// The part of the record that is in the file.
    private var written = SentCounts()
    /// Whether the file was read.
    ///
    /// A file that cannot be read now, such as before the first unlock of a phone, is neither lost nor replaced.
    private var isRead = false
    /// The number of erasures that are included.
    private var erasures = 0
    /// The last reported fault.
    private var fault: String?

    init(_ url: URL?, executor: any SerialExecutor, report: @escaping @Sendable (String) -> Void) {
        (self.url, self.executor, self.report) = (url, executor, report)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Adds counts, writes the file if it changes, and returns it as JSON.
    ///
    /// - Parameters:
    ///   - new: The counts since the last call.
    ///   - number: The number of erasures before them. Counts from before a known erasure are left out.
    ///   - days: The days to keep.
    /// - Returns: The JSON.
    func json(after new: SentCounts, _ number: Int, within days: ClosedRange<String>) -> String {
        let isErased = number > erasures
        if isErased { (counts, isRead, erasures) = (SentCounts(), true, number) }
        read()
        if number == erasures { counts.add(new) }
        counts.keep(within: days)
        let json = counts.json
        if isErased, counts.isEmpty {
            attempt("deleted") { url in
                if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
            }
        } else if isRead, counts != written {
            attempt("written") { url in
                try Data(json).write(to: url, options: .atomic)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
            }
        }
        return String(decoding: json, as: UTF8.self)
    }

    /// Adds the counts of the file, unless it was read.
    private func read() {
        guard !isRead else { return }
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return isRead = true }
        guard let bytes = try? Data(contentsOf: url) else { return note("cannot be read") }
        isRead = true
        if bytes.count <= SentFile.maximumBytes, let found = SentCounts(json: Array(bytes)) {
            counts.add(found)
            written = found
        } else {
            note("was damaged, and starts anew")
        }
    }

    /// Changes the file, so that it has the record.
    private func attempt(_ verb: String, _ change: (URL) throws -> Void) {
        guard let url else { return }
        do {
            try change(url)
            (written, fault) = (counts, nil)
        } catch {
            note("cannot be \(verb)")
        }
    }

    /// Reports a fault, unless it is the last one.
    private func note(_ found: String) {
        if found != fault, let url { report("the record of sent events \(found): \(url.path)") }
        fault = found
    }
}
