import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct InstallationTests {
    @Test func `it is made once and read from then on`() throws {
        let directory = try TemporaryQueue()

        let first = Installation(directory: directory.url)
        let second = Installation(directory: directory.url)

        #expect(first.id == second.id)
        #expect(!first.isProvisional)
        #expect(first.id.count == 32)
        #expect(first.id.allSatisfy { $0.isHexDigit })
        #expect(directory.files == ["device-id"])
    }

    @Test func `another id takes its place when it is written`() throws {
        let directory = try TemporaryQueue()
        let first = Installation(directory: directory.url)
        let id = Installation.makeID()

        Installation.write(id, directory: directory.url)

        #expect(first.id != id)
        #expect(Installation(directory: directory.url).id == id)
    }

    @Test(arguments: ["", "short", String(repeating: "g", count: 32), String(repeating: "a", count: 33)])
    func `a file that is no id is replaced, so that the next start finds the same id`(text: String) throws {
        let directory = try TemporaryQueue()
        let path = Installation.path(in: directory.url)
        try Data(text.utf8).write(to: URL(filePath: path))

        let id = Installation(directory: directory.url).id

        #expect(id.count == 32)
        #expect(Installation(directory: directory.url).id == id)
        #expect(directory.files == ["device-id"])
    }

    @Test(arguments: ForeignThing.allCases)
    func `an id that is not this user's own is neither taken nor waited for nor written into`(thing: ForeignThing)
        throws
    {
        let directory = try TemporaryQueue()
        let elsewhere = try TemporaryQueue()
        let planted = Installation(directory: elsewhere.url).id
        try thing.put(
            at: Installation.path(in: directory.url),
            target: Installation.path(in: elsewhere.url)
        )

        let id = Installation(directory: directory.url).id
        Installation.write(Installation.makeID(), directory: directory.url)

        #expect(id != planted)
        #expect(try Installation.stored(in: elsewhere.url) == planted)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `a file that cannot be read is left as it is`() throws {
        let directory = try TemporaryQueue()
        let first = Installation(directory: directory.url).id
        let path = Installation.path(in: directory.url)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)

        let second = Installation(directory: directory.url).id
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)

        #expect(second != first)
        #expect(try Installation.stored(in: directory.url) == first)
    }

    @Test func `it can be looked up without being made, and deleted`() throws {
        let directory = try TemporaryQueue()

        #expect(try Installation.stored(in: directory.url) == nil)
        #expect(directory.files.isEmpty)
        let id = Installation(directory: directory.url).id
        #expect(try Installation.stored(in: directory.url) == id)
        #expect(Installation.remove(in: directory.url))
        #expect(Installation.remove(in: directory.url))
        #expect(directory.files.isEmpty)
    }

    @Test func `processes that start at once have the same id`() async throws {
        let directory = try TemporaryQueue()

        let ids = await withTaskGroup { group in
            for _ in 0..<16 { group.addTask { Installation(directory: directory.url).id } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(ids == [Installation(directory: directory.url).id])
    }
}
