import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

@Suite struct OwnFileTests {
    private let directory: TemporaryQueue
    private let path: String

    init() throws {
        directory = try TemporaryQueue()
        path = directory.url.appending(path: "small").path
    }

    @Test func `a file has the last contents, and no temporary file remains`() throws {
        #expect(try OwnFile.contents(of: path, limit: 8) == nil)

        try OwnFile.replace(path, with: Array("a long text".utf8))
        try OwnFile.replace(path, with: Array("short".utf8))

        #expect(try OwnFile.contents(of: path, limit: 8) == Array("short".utf8))
        #expect(directory.files == ["small"])
    }

    @Test func `a file that is larger than the limit is damaged`() throws {
        try OwnFile.replace(path, with: [UInt8](repeating: 7, count: 9))

        #expect(throws: OutboxError.corrupt) { try OwnFile.contents(of: path, limit: 8) }
        #expect(try OwnFile.contents(of: path, limit: 9)?.count == 9)
    }

    @Test(arguments: ForeignFile.allCases)
    func `a file that does not belong to this user alone is neither read nor changed, and can be replaced`(
        foreign: ForeignFile
    ) throws {
        let elsewhere = try TemporaryQueue()
        let target = elsewhere.url.appending(path: "target").path
        try OwnFile.replace(target, with: [1])
        try foreign.create(at: path, target: target)

        #expect(throws: OutboxError.foreign(foreign.trait)) { try OwnFile.contents(of: path, limit: 8) }
        try OwnFile.replace(path, with: [2])

        #expect(try OwnFile.contents(of: path, limit: 8) == [2])
        #expect(try OwnFile.contents(of: target, limit: 8) == [1])
    }

    @Test(arguments: [(0o660, 0o600), (0o640, 0o640), (0o620, 0o600)])
    func `a file that a group can write to is read, and is its owner's only then`(before: Int, after: Int) throws {
        try OwnFile.replace(path, with: [7])
        #expect(unsafe chmod(path, mode_t(before)) == 0)

        #expect(try OwnFile.contents(of: path, limit: 8) == [7])
        #expect(try mode(path) == after)
    }

    @Test func `the mode of a file with a second name, or behind a link, is not changed`() throws {
        let elsewhere = try TemporaryQueue()
        let target = elsewhere.url.appending(path: "target").path
        try OwnFile.replace(target, with: [1])
        #expect(unsafe chmod(target, 0o660) == 0)
        for foreign in [ForeignFile.hardLink, .symbolicLink] {
            try foreign.create(at: path, target: target)

            #expect(throws: OutboxError.foreign(foreign.trait)) { try OwnFile.claim(path) }
            #expect(throws: OutboxError.foreign(foreign.trait)) { try OwnFile.contents(of: path, limit: 8) }

            #expect(try mode(target) == 0o660)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private func mode(_ path: String) throws -> Int {
        let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        return try #require(value as? NSNumber).intValue
    }

    @Test func `a replacement that cannot be written changes nothing`() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)

        #expect(throws: OutboxError.self) { try OwnFile.replace(path, with: [1]) }

        #expect(directory.files == ["small"])
    }
}
