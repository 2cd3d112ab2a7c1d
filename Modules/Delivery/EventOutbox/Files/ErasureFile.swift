package import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file `erasures` next to the queue file, with one line per requested erasure.
///
/// An erasure is stored before anything is deleted. If the process is killed during the deletion, the next start
/// continues it.
package enum ErasureFile {
    /// The maximum number of lines.
    ///
    /// The oldest completed erasures are removed first.
    private static let most = 256
    private static let maximumBytes = 65_536
    private static let head = "erasures 1"

    /// Reads all erasures.
    ///
    /// - Returns: The erasures, or an empty array if there is no file.
    /// - Throws: `OutboxError.corrupt` if the file is damaged, or the error if it cannot be read.
    package static func read(in directory: OutboxDirectory) throws(OutboxError) -> [Erasure] {
        guard let bytes = try OwnFile.contents(of: path(in: directory), limit: maximumBytes) else { return [] }
        guard let lines = CheckedText.lines(in: bytes, under: head), lines.count <= most else { throw .corrupt }
        let erasures = lines.compactMap(erasure)
        guard erasures.count == lines.count else { throw .corrupt }
        return erasures
    }

    /// Reads all erasures.
    ///
    /// - Returns: The erasures, or an empty array if the file is missing, damaged or not a file of this user.
    /// - Throws: The error if the file cannot be read now.
    package static func believed(in directory: OutboxDirectory) throws(OutboxError) -> [Erasure] {
        try CheckedText.believed { () throws(OutboxError) in try read(in: directory) } ?? []
    }

    /// Returns the erasures that have not been applied to a queue file.
    ///
    /// A number greater than those of all erasures belongs to a list that was damaged and replaced.
    ///
    /// - Parameters:
    ///   - number: The number of the last erasure that was applied to the file, or `nil` if the file does not record
    ///     it. Such a file has missed the pending erasures.
    ///   - erasures: The stored erasures.
    /// - Returns: The missed erasures.
    package static func missed(
        after number: UInt64?,
        of erasures: [Erasure]
    ) -> [Erasure] {
        guard let number else { return erasures.filter(\.isOwed) }
        let isReplaced = number > erasures.map(\.number).max() ?? 0
        return erasures.filter { $0.number > (isReplaced ? 0 : number) }
    }

    /// Stores an erasure with the next number.
    ///
    /// If the disk is full, the disk reserve is freed.
    ///
    /// - Parameters:
    ///   - erasure: The erasure.
    ///   - known: The greatest number that was used before. The numbers of a list that replaces a damaged one continue
    ///     from there.
    ///   - directory: The locked directory.
    /// - Returns: The erasure's number.
    /// - Throws: The error if it could not be stored.
    package static func add(
        _ erasure: Erasure,
        after known: UInt64 = 0,
        in directory: OutboxDirectory
    ) throws(OutboxError) -> UInt64 {
        var number: UInt64 = 1
        try change(in: directory) { erasures in
            number = max(known, erasures.map(\.number).max() ?? 0) + 1
            if number > CheckedText.greatestNumber {
                // Only a crafted list reaches the end of the range. After renumbering, it applies to the queue file
                // again.
                for index in erasures.indices { erasures[index].number = UInt64(index) + 1 }
                number = UInt64(erasures.count) + 1
            }
            var erasure = erasure
            erasure.number = number
            erasures.append(erasure)
            while erasures.count > most {
                erasures.remove(at: erasures.firstIndex { !$0.isOwed } ?? 0)
            }
        }
        return number
    }

    /// Marks erasures as completed.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the erasures.
    ///   - directory: The locked directory.
    /// - Throws: The error if the file could not be read or written.
    package static func settle(_ numbers: Set<UInt64>, in directory: OutboxDirectory) throws(OutboxError) {
        try change(in: directory) { erasures in
            for index in erasures.indices where numbers.contains(erasures[index].number) {
                erasures[index].isOwed = false
            }
        }
    }

    private static func change(
        in directory: OutboxDirectory,
        _ body: (inout [Erasure]) -> Void
    ) throws(OutboxError) {
        // A damaged file is replaced.
        var erasures = try believed(in: directory)
        body(&erasures)
        let text = erasures.map(line).joined()
        try directory.replace(path(in: directory), with: CheckedText.bytes(text, under: head))
    }

    private static func path(in directory: OutboxDirectory) -> String {
        directory.path(of: "erasures")
    }

    /// Returns a line: the user's hash or `-`, the last event, the number, and `owed` or `-`, separated by tabs.
    private static func line(_ erasure: Erasure) -> String {
        let user = erasure.user.map { String($0.rawValue, radix: 16) } ?? "-"
        return "\(user)\t\(erasure.last)\t\(erasure.number)\t\(erasure.isOwed ? "owed" : "-")\n"
    }

    private static func erasure(in line: ArraySlice<UInt8>) -> Erasure? {
        let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard fields.count == 4, let last = EventID(fields[1]), let number = UInt64(fields[2]),
            number <= CheckedText.greatestNumber, ["owed", "-"].contains(fields[3])
        else { return nil }
        let user = UInt64(fields[0], radix: 16).map(UserHash.init)
        guard user != nil || fields[0] == "-" else { return nil }
        return Erasure(user: user, last: last, number: number, isOwed: fields[3] == "owed")
    }
}

/// A small text file whose first line contains a checksum of the other lines.
enum CheckedText {
    /// The greatest number of a decision or an erasure.
    ///
    /// A greater number is damage.
    ///
    /// No user reaches it, and later numbers stay far from the end of the range.
    static let greatestNumber: UInt64 = 1 << 48

    /// Returns the contents of a file, or `nil` if the file is damaged or not a file of this user.
    ///
    /// - Parameter read: Reads the file.
    /// - Throws: The error if the file cannot be read now.
    static func believed<Value>(_ read: () throws(OutboxError) -> Value) throws(OutboxError) -> Value? {
        do throws(OutboxError) {
            return try read()
        } catch .corrupt {
            return nil
        } catch .foreign {
            return nil
        }
    }

    /// Returns the bytes of a file with the given text.
    ///
    /// - Parameters:
    ///   - text: The lines after the first.
    ///   - head: The name of the format, at the beginning of the first line.
    static func bytes(_ text: String, under head: String) -> [UInt8] {
        var checksum = Checksum()
        checksum.add(text)
        return Array("\(head) \(checksum.value)\n\(text)".utf8)
    }

    /// Returns the lines after the first, or `nil` if the file is damaged or has another format.
    static func lines(in bytes: [UInt8], under head: String) -> [ArraySlice<UInt8>]? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let body = bytes[(end + 1)...]
        var checksum = Checksum()
        checksum.add(body)
        guard String(decoding: bytes[..<end], as: UTF8.self) == "\(head) \(checksum.value)" else { return nil }
        return body.split(separator: UInt8(ascii: "\n"))
    }
}
