import Foundation
import OptionParsing
import Testing

@testable import InspectorTool

@Suite struct InspectorSessionTests {
    @Test func `the instructions have the link, the app's line and the receivers`() throws {
        let session = try InspectorSession(InspectorOptions([]))
        defer { session.close() }

        #expect(session.link.hasPrefix("http://127.0.0.1:") && session.link.contains("/?token="))
        #expect(session.instructions.contains(session.link))
        #expect(session.instructions.contains("configuration = try configuration.inspected(at: link)"))
        #expect(session.instructions.contains("/users/track (Braze)") && !session.instructions.contains("WARNING"))
    }

    @Test func `a folder without a plan is refused`() throws {
        let options = try InspectorOptions(["--plan", "/nowhere"])

        let expected = "--plan: /nowhere has no tracking plan (*.schema.json)"
        #expect(throws: UsageError(expected)) { try InspectorSession(options) }
    }

    @Test func `a plan with a schema that cannot be read is refused`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(#"{"$defs": "#.utf8).write(to: folder.appending(path: "Half.schema.json"))
        let options = try InspectorOptions(["--plan", folder.path])

        let expected = "--plan: \(folder.path) has a schema that cannot be read: Half.schema.json"
        #expect(throws: UsageError(expected)) { try InspectorSession(options) }
    }

    @Test func `an address of another machine has a message`() throws {
        let options = try InspectorOptions(["--network", "192.0.2.1"])

        let expected = "cannot listen on 192.0.2.1, port 0: this machine does not have the address 192.0.2.1"
        #expect(throws: UsageError(expected)) { try InspectorSession(options) }
    }

    #if os(Linux)
    @Test func `a network address comes with a warning and the app's permission`() throws {
        let session = try InspectorSession(InspectorOptions(["--network", "127.0.0.2"]))
        defer { session.close() }

        #expect(session.link.hasPrefix("http://127.0.0.2:"))
        #expect(session.instructions.contains("WARNING: this inspector is open to the network"))
        #expect(session.instructions.contains("inspected(at: link, allowsOtherMachines: true)"))
    }
    #endif
}

@Suite struct InspectorOptionsTests {
    @Test func `without options it listens on the loopback address, on a free port`() throws {
        let options = try InspectorOptions([])

        #expect((options.port, options.plan, options.network) == (0, nil, nil))
    }

    @Test func `each option is read`() throws {
        let options = try InspectorOptions(["--port", "8123", "--plan", "p", "--network", "192.168.1.20"])

        #expect((options.port, options.plan, options.network) == (8_123, "p", "192.168.1.20"))
    }

    @Test(arguments: [
        (["--port", "x"], "--port: a number from 0 to 65535"), (["--port"], "--port needs a value"),
        (["--network", "::"], "--network: name the one address at which a phone reaches this machine, not ::"),
        (["--plan", "--network"], "--plan needs a value"), (["--bogus"], "unknown option --bogus; see --help"),
    ]) func `an invalid command line has a message`(words: [String], message: String) {
        #expect(throws: UsageError(message)) { try InspectorOptions(words) }
    }
}
