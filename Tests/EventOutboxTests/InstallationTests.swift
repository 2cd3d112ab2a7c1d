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

    @Test(arguments: ["", "short", String(repeating: "g", count: 32)])
    func `a file that is no id is left as it is, and an id is made for this run`(text: String) throws {
        let directory = try TemporaryQueue()
        let path = Installation.path(in: directory.url)
        try Data(text.utf8).write(to: URL(filePath: path))

        let id = Installation(directory: directory.url).id

        #expect(id.count == 32)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `a link is not followed`() throws {
        let directory = try TemporaryQueue()
        let target = directory.url.appending(path: "target")
        try Data(Installation.makeID().utf8).write(to: target)
        try FileManager.default.createSymbolicLink(
            atPath: Installation.path(in: directory.url),
            withDestinationPath: target.path
        )

        let id = Installation(directory: directory.url).id

        #expect(try String(contentsOf: target, encoding: .utf8) != id)
    }
}
