import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct DiskReserveTests {
    private let queue: TemporaryQueue
    private let reserve: DiskReserve
    private let path: String

    init() throws {
        queue = try TemporaryQueue()
        reserve = DiskReserve(queue: queue.path)
        path = queue.path + ".reserve"
    }

    @Test func `the reserve is filled once and released once`() {
        reserve.fill()
        let inode = FileStatus.inode(at: path)
        reserve.fill()

        #expect(FileStatus.size(at: path) == 5_242_880)
        #expect(FileStatus.inode(at: path) == inode)
        #expect(reserve.release())
        #expect(!reserve.release())
        #expect(queue.files.isEmpty)
    }

    @Test func `an unfinished reserve of a killed process is filled again`() throws {
        try Data(count: 65_536).write(to: URL(filePath: path))

        reserve.fill()

        #expect(FileStatus.size(at: path) == 5_242_880)
    }

    @Test func `a link in its place is replaced and not followed`() throws {
        let elsewhere = try TemporaryQueue()
        let target = try elsewhere.makeFile()
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)

        reserve.fill()

        #expect(FileStatus.isRegular(at: path))
        #expect(FileStatus.size(at: target) == 0)
    }

    @Test func `if no file can be created, there is no reserve`() {
        let reserve = DiskReserve(queue: "/proc/none/queue.db")

        reserve.fill()

        #expect(!reserve.release())
    }
}
