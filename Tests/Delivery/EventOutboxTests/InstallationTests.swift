import EventBuffer
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct InstallationTests {
    @Test func `it is read as it was written, and another id takes its place`() throws {
        let directory = try TemporaryQueue()
        #expect(try Installation.stored(in: directory.url) == nil)
        let (first, second) = (Installation.makeID(), Installation.makeID())

        Installation.write(first, directory: directory.url)
        #expect(try Installation.stored(in: directory.url) == first)
        Installation.write(second, directory: directory.url)

        #expect(try Installation.stored(in: directory.url) == second)
        #expect(first.count == 32 && first.allSatisfy(\.isHexDigit) && first != second)
        #expect(directory.files == ["device-id"])
        #expect(Installation.remove(in: directory.url))
        #expect(Installation.remove(in: directory.url))
        #expect(directory.files.isEmpty)
    }

    @Test(arguments: ["", "short", String(repeating: "g", count: 32), String(repeating: "a", count: 33)])
    func `a file that is no id counts as none`(text: String) throws {
        let directory = try TemporaryQueue()
        try Data(text.utf8).write(to: URL(filePath: Installation.path(in: directory.url)))

        #expect(try Installation.stored(in: directory.url) == nil)
    }

    @Test(arguments: ForeignThing.allCases)
    func `an id that is not this user's own is neither taken nor waited for nor written into`(thing: ForeignThing)
        throws
    {
        let directory = try TemporaryQueue()
        let elsewhere = try TemporaryQueue()
        let planted = Installation.makeID()
        Installation.write(planted, directory: elsewhere.url)
        try thing.put(
            at: Installation.path(in: directory.url),
            target: Installation.path(in: elsewhere.url)
        )

        #expect(try Installation.stored(in: directory.url) == nil)
        Installation.write(Installation.makeID(), directory: directory.url)

        #expect(try Installation.stored(in: elsewhere.url) == planted)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `a file that cannot be read is an error`() throws {
        let directory = try TemporaryQueue()
        Installation.write(Installation.makeID(), directory: directory.url)
        let path = Installation.path(in: directory.url)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)

        #expect(throws: OutboxError.self) { try Installation.stored(in: directory.url) }
    }
}
