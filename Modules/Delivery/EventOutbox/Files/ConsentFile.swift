import CSQLite
package import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file `consent` next to the queue file, with one line per purpose.
///
/// A decision is on disk when `write` returns. The file stays complete if the process is killed while writing.
package enum ConsentFile {
    /// The consent decisions stored in a directory.
    package struct Decisions: Sendable, Equatable {
        /// The last decision about each purpose.
        package var words: [StoredDecision]
        /// Whether these are all decisions.
        ///
        /// It is `false` if the file is damaged or has replaced a damaged one.
        ///
        /// A purpose without a decision is then unknown, because the user may have denied it.
        package var isComplete: Bool

        package init(words: [StoredDecision] = [], isComplete: Bool = true) {
            self.words = words
            self.isComplete = isComplete
        }
    }

    /// The maximum number of decisions, bytes of a purpose's name, and bytes of the file.
    private static let most = (words: 256, name: 256, bytes: 262_144)

    /// Reads all decisions.
    ///
    /// - Returns: The decisions, or an empty array if there is no file.
    /// - Throws: `OutboxError.corrupt` if the file is damaged, or `foreign` if it is not a regular file of this user.
    package static func read(in directory: OutboxDirectory) throws(OutboxError) -> [StoredDecision] {
        try contents(in: directory).words
    }

    /// Reads the decisions.
    ///
    /// - Returns: The decisions. If the file is damaged or not a file of this user, the list is empty and incomplete.
    /// - Throws: The error if the file cannot be read now.
    package static func decisions(in directory: OutboxDirectory) throws(OutboxError) -> Decisions {
        let sound = try CheckedText.believed { () throws(OutboxError) in try contents(in: directory) }
        return sound ?? Decisions(isComplete: false)
    }

    private static func contents(in directory: OutboxDirectory) throws(OutboxError) -> Decisions {
        guard let bytes = try OwnFile.contents(of: path(in: directory), limit: most.bytes) else { return Decisions() }
        guard let decisions = decisions(in: bytes) else { throw .corrupt }
        return decisions
    }

    /// Stores decisions, except those for a purpose that has a later decision in the file.
    ///
    /// Decisions about other purposes are kept. If the disk is full, the disk reserve is freed.
    ///
    /// - Parameters:
    ///   - words: The decisions.
    ///   - directory: The locked directory.
    /// - Throws: The error if the file could not be read or written.
    package static func write(_ words: [StoredDecision], in directory: OutboxDirectory) throws(OutboxError) {
        var all = try decisions(in: directory)
        all.words = merged(words, with: all.words)
        try replace(with: bytes(of: all), in: directory)
    }

    /// Creates the file without decisions if it does not exist.
    ///
    /// A later decision can then be stored even if the directory accepts no new files at that time.
    ///
    /// - Parameter directory: The locked directory.
    /// - Throws: The error if the file could not be created.
    package static func make(in directory: OutboxDirectory) throws(OutboxError) {
        guard FileStatus.isMissing(at: path(in: directory)) else { return }
        try write([], in: directory)
    }

    /// Replaces the file.
    ///
    /// If the directory accepts no new file, for example because it is read-only, overwrites the old one.
    private static func replace(with bytes: [UInt8], in directory: OutboxDirectory) throws(OutboxError) {
        let path = path(in: directory)
        do throws(OutboxError) {
            try directory.replace(path, with: bytes)
        } catch {
            guard !error.isFailedSync, (try? OwnFile.overwrite(path, with: bytes)) != nil else { throw error }
        }
    }

    private static func path(in directory: OutboxDirectory) -> String {
        directory.path(of: "consent")
    }

    private static func merged(_ words: [StoredDecision], with stored: [StoredDecision]) -> [StoredDecision] {
        var all = stored
        for word in words {
            guard let known = all.firstIndex(where: { $0.purpose == word.purpose }) else {
                all.append(word)
                continue
            }
            guard all[known].number <= word.number else { continue }
            let denial = max(all[known].denial, word.denial)
            all[known] = word
            all[known].denial = denial
        }
        return all
    }
}

// The file's text is a line `consent 1` with the checksum of the rest, and a line `incomplete` if the list is
// incomplete. Then each decision has a line with its purpose, the consent, its number, `owed` or `-`, and the number of
// the last denial, separated by tabs.
extension ConsentFile {
    private static let head = "consent 1"
    private static let incomplete = "incomplete"

    private static func bytes(of decisions: Decisions) throws(OutboxError) -> [UInt8] {
        // Only a crafted file reaches the end of the range. The later one of two decisions with the same number is then
        // valid.
        let words = decisions.words.map { word in
            var word = word
            word.number = min(word.number, CheckedText.greatestNumber)
            word.denial = min(word.denial, CheckedText.greatestNumber)
            return word
        }
        guard words.count <= most.words, words.allSatisfy(isValid) else { throw .failed(code: SQLITE_TOOBIG) }
        let lines = words.map { word in
            let state = "\(word.number)\t\(word.owesPurge ? "owed" : "-")\t\(word.denial)"
            return "\(escaped(word.purpose))\t\(word.consent)\t\(state)\n"
        }
        return CheckedText.bytes((decisions.isComplete ? "" : incomplete + "\n") + lines.joined(), under: head)
    }

    private static func decisions(in bytes: [UInt8]) -> Decisions? {
        guard var lines = CheckedText.lines(in: bytes, under: head)?[...] else { return nil }
        var decisions = Decisions()
        if let first = lines.first, first.elementsEqual(incomplete.utf8) {
            decisions.isComplete = false
            lines.removeFirst()
        }
        for line in lines {
            guard decisions.words.count < most.words, let word = word(in: line),
                !decisions.words.contains(where: { $0.purpose == word.purpose })
            else { return nil }
            decisions.words.append(word)
        }
        return decisions
    }

    private static func word(in line: ArraySlice<UInt8>) -> StoredDecision? {
        let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        // In the first format, a line ends before the denial's number.
        guard (4...5).contains(fields.count), let purpose = unescaped(fields[0]), let number = UInt64(fields[2]),
            ["owed", "-"].contains(fields[3])
        else { return nil }
        let isOwed = fields[3] == "owed"
        var word = StoredDecision(purpose: purpose, consent: fields[1], number: number, owesPurge: isOwed)
        if let last = fields.dropFirst(4).first {
            guard let denial = UInt64(last) else { return nil }
            word.denial = denial
        }
        return isValid(word) ? word : nil
    }

    private static func isValid(_ word: StoredDecision) -> Bool {
        word.purpose.utf8.count <= most.name && word.number <= CheckedText.greatestNumber
            && word.denial <= word.number
            && (word.consent == "denied" ? word.denial == word.number : ["granted", "unknown"].contains(word.consent))
    }

    /// Escapes the bytes that have a meaning in the file, and the percent sign, as a percent sign and two digits.
    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let bytes: [UInt8] = text.utf8.flatMap { byte in
            guard byte < 0x20 || byte == UInt8(ascii: "%") else { return [byte] }
            return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescaped(_ text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        var bytes = parts.first.map(Array.init) ?? []
        for part in parts.dropFirst() {
            guard let byte = UInt8(String(decoding: part.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(byte)
            bytes += part.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
