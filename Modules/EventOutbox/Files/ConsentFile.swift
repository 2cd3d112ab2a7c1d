import CSQLite
package import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The user's decisions: the file `consent` beside the queues, with a line for each purpose.
///
/// A decision is on the disk when `write` returns, and stays whole if the process is killed meanwhile.
package enum ConsentFile {
    package typealias Word = StoredDecision

    /// The decisions of a directory.
    package struct Decisions: Sendable, Equatable {
        /// The last decision about each purpose.
        package var words: [Word]
        /// Whether these are all decisions; `false` if the file is damaged, or has replaced a damaged one.
        ///
        /// If it is `false`, a purpose without a decision is unknown: the user may have denied it.
        package var isComplete: Bool

        package init(words: [Word] = [], isComplete: Bool = true) {
            self.words = words
            self.isComplete = isComplete
        }
    }

    /// The most words, the bytes of a purpose's name, and those of the file.
    private static let most = (words: 256, name: 256, bytes: 262_144)

    /// Reads all decisions; none if there is no file.
    ///
    /// Throws `corrupt` or `foreign` if the file is damaged or not this user's own.
    package static func read(in directory: OutboxDirectory) throws(OutboxError) -> [Word] {
        try contents(in: directory).words
    }

    /// Reads the decisions; a file that is damaged or not this user's own gives an incomplete list without any.
    ///
    /// Throws an error if the file cannot be read for now.
    package static func decisions(in directory: OutboxDirectory) throws(OutboxError) -> Decisions {
        let sound = try CheckedText.believed { () throws(OutboxError) in try contents(in: directory) }
        return sound ?? Decisions(isComplete: false)
    }

    private static func contents(in directory: OutboxDirectory) throws(OutboxError) -> Decisions {
        guard let bytes = try OwnFile.contents(of: path(in: directory), limit: most.bytes) else { return Decisions() }
        guard let decisions = decisions(in: bytes) else { throw .corrupt }
        return decisions
    }

    /// Stores words, unless the file knows a later one about the same purpose.
    ///
    /// What the file says about other purposes stays. On a full disk the reserve is freed for it.
    package static func write(_ words: [Word], in directory: OutboxDirectory) throws(OutboxError) {
        var all = try decisions(in: directory)
        all.words = merged(words, with: all.words)
        try replace(with: bytes(of: all), in: directory)
    }

    /// Makes the file, without a decision, if there is none.
    ///
    /// A decision then has a place also if the directory takes no new file by the time that it is made.
    package static func make(in directory: OutboxDirectory) throws(OutboxError) {
        guard FileStatus.isMissing(at: path(in: directory)) else { return }
        try write([], in: directory)
    }

    /// Replaces the file; if the directory takes no new one, such as one that may not be written, writes over the old
    /// one.
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

    private static func merged(_ words: [Word], with stored: [Word]) -> [Word] {
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

// The text: a line `consent 1` with the checksum of the rest; a line `incomplete` if the list is incomplete; then for
// each word its purpose, what was said, its number, `owed` or `-`, and the last denial's number, with tabs in between.
extension ConsentFile {
    private static let head = "consent 1"
    private static let incomplete = "incomplete"

    private static func bytes(of decisions: Decisions) throws(OutboxError) -> [UInt8] {
        // Only a crafted file leads to the end of the range. There, of two words with one number the later one holds.
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

    private static func word(in line: ArraySlice<UInt8>) -> Word? {
        let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        // The first form of a line ends before the denial's number.
        guard (4...5).contains(fields.count), let purpose = unescaped(fields[0]), let number = UInt64(fields[2]),
            ["owed", "-"].contains(fields[3])
        else { return nil }
        let isOwed = fields[3] == "owed"
        var word = Word(purpose: purpose, consent: fields[1], number: number, owesPurge: isOwed)
        if let last = fields.dropFirst(4).first {
            guard let denial = UInt64(last) else { return nil }
            word.denial = denial
        }
        return isValid(word) ? word : nil
    }

    private static func isValid(_ word: Word) -> Bool {
        word.purpose.utf8.count <= most.name && word.number <= CheckedText.greatestNumber
            && word.denial <= word.number
            && (word.consent == "denied" ? word.denial == word.number : ["granted", "unknown"].contains(word.consent))
    }

    /// Writes the bytes that have a meaning in the file, and the percent sign, as a percent sign and two digits.
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
