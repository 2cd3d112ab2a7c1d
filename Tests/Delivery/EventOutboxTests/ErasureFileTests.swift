import EventBuffer
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct ErasureFileTests {
    private let last = EventID(high: 7, low: 8)

    @Test func `what is to be erased is read again, numbered, and owed until it is settled`() throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)

        let numbers = try [UserHash(rawValue: .max), nil].map {
            try ErasureFile.add(Erasure(user: $0, last: last), in: directory)
        }
        try ErasureFile.settle([1], in: directory)

        #expect(numbers == [1, 2])
        #expect(
            try ErasureFile.read(in: OutboxDirectory(queue.url)) == [
                Erasure(user: UserHash(rawValue: .max), last: last, number: 1, isOwed: false),
                Erasure(user: nil, last: last, number: 2, isOwed: true),
            ]
        )
    }

    @Test func `of many erasures those that are done give way`() throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)

        for number in 1...300 {
            let erasure = Erasure(user: UserHash(rawValue: UInt64(number)), last: last)
            let given = try ErasureFile.add(erasure, in: directory)
            if number != 2 { try ErasureFile.settle([given], in: directory) }
        }

        let kept = try ErasureFile.read(in: directory)
        #expect(kept.count == 256)
        #expect(kept.first?.number == 2 && kept.first?.isOwed == true)
        #expect(kept.last?.number == 300)
    }

    @Test func `a list that is replaced goes on behind the numbers that are known`() throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)

        let numbers = try [7, 3].map { known in
            try ErasureFile.add(Erasure(user: nil, last: last), after: known, in: directory)
        }

        #expect(numbers == [8, 9])
        #expect(try ErasureFile.missed(after: 8, of: ErasureFile.read(in: directory)).map(\.number) == [9])
        #expect(try ErasureFile.missed(after: nil, of: ErasureFile.read(in: directory)).map(\.number) == [8, 9])
        // A number that the list has not come to belongs to a list that is gone.
        #expect(try ErasureFile.missed(after: 10, of: ErasureFile.read(in: directory)).map(\.number) == [8, 9])
        try ErasureFile.settle([8], in: directory)
        #expect(try ErasureFile.missed(after: nil, of: ErasureFile.read(in: directory)).map(\.number) == [9])
    }

    @Test(arguments: ["x", "erasures 1 0\n", "erasures 1 0\nfoo\n"])
    func `a file that cannot be believed is an error, and replaced by the next erasure`(text: String) throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)
        let file = queue.url.appending(path: "erasures")
        _ = FileManager.default.createFile(
            atPath: file.path,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        let before = try? ErasureFile.read(in: directory)

        _ = try ErasureFile.add(Erasure(user: nil, last: last), in: directory)

        #expect(before == nil || before?.isEmpty == true)
        #expect(try ErasureFile.read(in: directory).map(\.number) == [1])
    }

    @Test(arguments: [1 << 48, 1 << 48 + 1, UInt64(Int64.max), .max >> 2, .max])
    func `numbers at the end of their range do not block later erasures`(number: UInt64) throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)
        let text = CheckedText.bytes("-\t\(last)\t\(number)\towed\n", under: "erasures 1")
        try Data(text).write(to: queue.url.appending(path: "erasures"))

        for user in 1...3 as ClosedRange<UInt64> {
            let erasure = Erasure(user: UserHash(rawValue: user), last: last)
            let given = try ErasureFile.add(erasure, after: number == 1 << 48 ? number : 0, in: directory)
            let stored = try ErasureFile.read(in: directory).last

            #expect(stored?.number == given)
            #expect(stored?.user == UserHash(rawValue: user))
            // Every file that notes an earlier number has missed it.
            #expect(
                try ErasureFile.missed(after: 1 << 48, of: ErasureFile.read(in: directory)).contains {
                    $0.number == given
                }
            )
        }
    }
}
