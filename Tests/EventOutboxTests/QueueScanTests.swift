import EventBuffer
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct QueueScanTests {
    @Test func `a hundred files of a newer version do not hide a queue of this one`() throws {
        let queue = try TemporaryQueue()
        for number in 100...199 { try store(in: queue, name: "\(number)", version: 99) }
        try store(in: queue, name: "999", version: nil)
        var scan = try QueueScan(OutboxDirectory(queue.url))
        var (orphans, newer) = (0, 0)

        #expect(scan.remaining == 101)
        while let found = scan.next() {
            switch found {
            case .orphan(let orphan):
                orphans += 1
                #expect(orphan.name == "queue-999.db")
                orphan.outbox.close()
            case .newer(_, let version):
                newer += 1
                #expect(version == 99)
            default: Issue.record("\(found)")
            }
        }

        #expect((orphans, newer) == (1, 100))
    }

    @Test func `what is at work, foreign or damaged is told apart, and is left as it is`() throws {
        let queue = try TemporaryQueue()
        let path = { (name: String) in queue.url.appending(path: "queue-\(name).db").path }
        let owner = try queue.outbox("1")
        try FileManager.default.createSymbolicLink(atPath: path("2"), withDestinationPath: path("1"))
        try Data(repeating: 7, count: 9_000).write(to: URL(filePath: path("3")))
        let files = queue.files
        var scan = try QueueScan(OutboxDirectory(queue.url))

        let (first, second, third) = (scan.next(), scan.next(), scan.next())

        guard case .owned(path("1")) = first, case .foreign(path("2"), .kind) = second,
            case .failed(path("3"), .corrupt) = third
        else {
            Issue.record("\([first, second, third])")
            return
        }
        #expect(scan.remaining == 0)
        #expect(queue.files == files)
        owner.close()
    }

    private func store(in queue: TemporaryQueue, name: String, version: Int?) throws {
        let outbox = try queue.outbox(name)
        if let version { try outbox.connection.execute("PRAGMA user_version = \(version)") }
        outbox.close()
    }
}
