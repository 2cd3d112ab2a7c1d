package import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What somebody has asked to erase: the file `erasures` beside the queues, a line for each time.
///
/// An erasure is on the disk before anything is deleted, so that one which a kill has interrupted goes on at the next
/// start.
package enum ErasureFile {
    package typealias Erasure = EventBuffer::Erasure

    /// The most lines: those that are done go first, the oldest ones.
    private static let most = 256
    private static let mostBytes = 65_536
    private static let head = "erasures 1"

    /// Reads all erasures; none where there is no file.
    package static func read(in directory: OutboxDirectory) throws(OutboxError) -> [Erasure] {
        guard let bytes = try OwnFile.contents(of: path(in: directory), limit: mostBytes) else { return [] }
        guard let lines = CheckedText.lines(in: bytes, under: head), lines.count <= most else { throw .corrupt }
        let erasures = lines.compactMap(erasure)
        guard erasures.count == lines.count else { throw .corrupt }
        return erasures
    }

    /// Reads all erasures; none where the file cannot be believed.
    package static func believed(in directory: OutboxDirectory) throws(OutboxError) -> [Erasure] {
        try CheckedText.believed { () throws(OutboxError) in try read(in: directory) } ?? []
    }

    /// The erasures that have not taken effect on a file which notes the number of the last one that has.
    ///
    /// A file of an earlier version notes none, and has missed those that are still owed. A number beyond all of them
    /// is one of a list that was damaged and has been replaced.
    package static func missed(
        after number: UInt64?,
        of erasures: [Erasure]
    ) -> [Erasure] {
        guard let number else { return erasures.filter(\.isOwed) }
        let isReplaced = number > erasures.map(\.number).max() ?? 0
        return erasures.filter { $0.number > (isReplaced ? 0 : number) }
    }

    /// Stores an erasure with the next number, which it returns.
    ///
    /// On a full disk the reserve is freed for it.
    /// - Parameter known: The greatest number that is known to have been given: a list that was damaged and is replaced
    ///   goes on from there.
    package static func add(
        _ erasure: Erasure,
        after known: UInt64 = 0,
        in directory: OutboxDirectory
    ) throws(OutboxError) -> UInt64 {
        var number: UInt64 = 1
        try change(in: directory) { erasures in
            number = max(known, erasures.map(\.number).max() ?? 0) + 1
            if number > CheckedText.greatestNumber {
                // Only a crafted list leads to the end of the range. Numbered anew, it applies to every file again.
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

    /// Notes that nothing is left to delete for some erasures.
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
        // What cannot be believed is replaced.
        var erasures = try believed(in: directory)
        body(&erasures)
        let text = erasures.map(line).joined()
        try directory.replace(path(in: directory), with: CheckedText.bytes(text, under: head))
    }

    private static func path(in directory: OutboxDirectory) -> String {
        directory.path(of: "erasures")
    }

    /// The user's mark or `-`, the last event, the number, and `owed` or `-`, with tabs in between.
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
        let user = UInt64(fields[0], radix: 16).map(UserMark.init)
        guard user != nil || fields[0] == "-" else { return nil }
        return Erasure(user: user, last: last, number: number, isOwed: fields[3] == "owed")
    }
}

/// A small text of lines under a first line with its checksum.
enum CheckedText {
    /// The greatest number of a decision or an erasure; a greater one is damage.
    ///
    /// No user reaches it, and whatever is counted on from it stays far from the end of the range.
    static let greatestNumber: UInt64 = 1 << 48

    /// What a text says; `nil` where it is there and cannot be believed.
    ///
    /// Throws why it cannot be read for now.
    static func believed<Value>(_ read: () throws(OutboxError) -> Value) throws(OutboxError) -> Value? {
        do throws(OutboxError) {
            return try read()
        } catch .corrupt {
            return nil
        } catch .foreign {
            return nil
        }
    }

    /// The bytes of a text under the name of its kind.
    static func bytes(_ text: String, under head: String) -> [UInt8] {
        var checksum = Checksum()
        checksum.add(text)
        return Array("\(head) \(checksum.value)\n\(text)".utf8)
    }

    /// The lines of a text; `nil` where it is of another kind or damaged.
    static func lines(in bytes: [UInt8], under head: String) -> [ArraySlice<UInt8>]? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let body = bytes[(end + 1)...]
        var checksum = Checksum()
        checksum.add(body)
        guard String(decoding: bytes[..<end], as: UTF8.self) == "\(head) \(checksum.value)" else { return nil }
        return body.split(separator: UInt8(ascii: "\n"))
    }
}
