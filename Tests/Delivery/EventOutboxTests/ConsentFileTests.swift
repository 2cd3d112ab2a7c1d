import EventBuffer
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct ConsentFileTests {
    private let denied = StoredDecision(purpose: "ads", consent: "denied", number: 3, owesPurge: true)
    private let granted = StoredDecision(purpose: "analytics", consent: "granted", number: 1, owesPurge: false)

    @Test func `words that are written are read, also by another process's directory value`() throws {
        let queue = try TemporaryQueue()
        let odd = StoredDecision(purpose: "a\tb\n%\u{301}é", consent: "unknown", number: 1 << 48, owesPurge: false)

        try ConsentFile.write([denied, granted, odd], in: OutboxDirectory(queue.url))

        #expect(try ConsentFile.read(in: OutboxDirectory(queue.url)) == [denied, granted, odd])
        #expect(queue.files == ["consent"])
    }

    @Test func `without a file there are no words`() throws {
        let directory = try OutboxDirectory(TemporaryQueue().url)

        #expect(try ConsentFile.read(in: directory).isEmpty)
    }

    @Test func `a later word holds, whichever process writes last, and other purposes stay`() throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)
        var earlier = denied
        (earlier.number, earlier.consent) = (2, "granted")
        var done = denied
        done.owesPurge = false

        try ConsentFile.write([denied], in: directory)
        try ConsentFile.write([earlier, granted], in: directory)
        #expect(try ConsentFile.read(in: directory) == [denied, granted])
        try ConsentFile.write([done], in: directory)

        #expect(try ConsentFile.read(in: directory) == [done, granted])
    }

    @Test func `a file that is damaged anywhere is not believed, and does not count as silence`() throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)
        let file = queue.url.appending(path: "consent")
        try ConsentFile.write([denied, granted], in: directory)
        let bytes = try Array(Data(contentsOf: file))

        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1
            try Data(damaged).write(to: file)
            #expect(throws: OutboxError.corrupt) { try ConsentFile.read(in: directory) }
        }
        for count in [0, 1, bytes.count - 1] {
            try Data(bytes.prefix(count)).write(to: file)
            #expect(throws: OutboxError.corrupt) { try ConsentFile.read(in: directory) }
        }
        try ConsentFile.write([denied], in: directory)
        #expect(try ConsentFile.read(in: directory) == [denied])
    }

    @Test(arguments: [
        "ads\tdenied\t3", "ads\tmaybe\t3\t-", "ads\tdenied\t-3\t-", "ads\tdenied\t99999999999999999999\t-",
        "ads\tdenied\t3\tyes", "%zz\tdenied\t3\t-", "a\tdenied\t3\t-\na\tgranted\t4\t-",
        String(repeating: "a", count: 257) + "\tdenied\t3\t-", "ads\tgranted\t3\t-\t4", "ads\tdenied\t3\t-\t2",
        "ads\tgranted\t9223372036854775807\t-", "ads\tgranted\t281474976710657\t-",
        "incomplete\nads", "ads\tgranted\t3\t-\t2\t1",
    ])
    func `lines that nobody writes are damage, whatever their checksum says`(lines: String) throws {
        let queue = try TemporaryQueue()
        var checksum = Checksum()
        checksum.add(lines + "\n")
        try Data("consent 1 \(checksum.value)\n\(lines)\n".utf8).write(to: queue.url.appending(path: "consent"))

        #expect(throws: OutboxError.corrupt) { try ConsentFile.read(in: OutboxDirectory(queue.url)) }
    }

    @Test func `a damaged file is replaced by an incomplete list, which stays incomplete with later decisions`()
        throws
    {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)
        #expect(try ConsentFile.decisions(in: directory) == ConsentFile.Decisions())
        try ConsentFile.write([denied], in: directory)
        #expect(try ConsentFile.decisions(in: directory) == ConsentFile.Decisions(words: [denied]))
        try Data("?".utf8).write(to: queue.url.appending(path: "consent"))
        #expect(try ConsentFile.decisions(in: directory) == ConsentFile.Decisions(isComplete: false))

        try ConsentFile.write([granted], in: directory)
        #expect(
            try ConsentFile.decisions(in: directory) == ConsentFile.Decisions(words: [granted], isComplete: false)
        )
        try ConsentFile.write([denied], in: directory)

        #expect(
            try ConsentFile.decisions(in: directory)
                == ConsentFile.Decisions(words: [granted, denied], isComplete: false)
        )
    }

    @Test func `after the greatest number later decisions are still stored`() throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)
        let last = StoredDecision(purpose: "ads", consent: "granted", number: 1 << 48, owesPurge: false)
        try ConsentFile.write([last], in: directory)

        for consent in ["denied", "granted", "denied"] {
            let number = (try ConsentFile.read(in: directory).map(\.number).max() ?? 0) + 1
            let word = StoredDecision(purpose: "ads", consent: consent, number: number, owesPurge: false)
            try ConsentFile.write([word], in: directory)
            #expect(try ConsentFile.read(in: directory).map(\.consent) == [consent])
        }
    }

    @Test func `the last denial's number stays with later words, and a line of the first form has the word's own`()
        throws
    {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)
        let lines = "ads\tdenied\t3\towed\nanalytics\tgranted\t1\t-\n"
        var checksum = Checksum()
        checksum.add(lines)
        try Data("consent 1 \(checksum.value)\n\(lines)".utf8).write(to: queue.url.appending(path: "consent"))
        #expect(try ConsentFile.read(in: directory) == [denied, granted])

        let again = StoredDecision(purpose: "ads", consent: "granted", number: 5, owesPurge: false)
        try ConsentFile.write([again], in: directory)

        #expect(try ConsentFile.read(in: directory).map(\.denial) == [3, 0])
    }

    @Test func `a file that is too large, and a word that is, are refused`() throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)
        var long = denied
        long.purpose = String(repeating: "a", count: 257)

        #expect(throws: OutboxError.self) { try ConsentFile.write([long], in: directory) }
        try Data(count: 262_145).write(to: queue.url.appending(path: "consent"))

        #expect(throws: OutboxError.corrupt) { try ConsentFile.read(in: directory) }
    }

    @Test(arguments: ForeignThing.allCases)
    func `what is not this user's own is neither read nor waited for, and is replaced`(thing: ForeignThing) throws {
        let queue = try TemporaryQueue()
        let elsewhere = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)
        try ConsentFile.write([granted], in: OutboxDirectory(elsewhere.url))
        let target = elsewhere.url.appending(path: "consent")
        let bytes = try Data(contentsOf: target)
        try thing.put(at: queue.url.appending(path: "consent").path, target: target.path)

        #expect(throws: OutboxError.foreign(thing.trait)) { try ConsentFile.read(in: directory) }
        try ConsentFile.write([denied], in: directory)

        #expect(try ConsentFile.read(in: directory) == [denied])
        #expect(try Data(contentsOf: target) == bytes)
    }

    @Test func `processes that write at once lose no word`() async throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)

        await withTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    let word = StoredDecision(purpose: "\(number)", consent: "denied", number: 1, owesPurge: true)
                    try? ConsentFile.write([word], in: directory)
                }
            }
        }

        #expect(try Set(ConsentFile.read(in: directory).map(\.purpose)) == Set((0..<16).map { "\($0)" }))
        #expect(queue.files == ["consent"])
    }
}
