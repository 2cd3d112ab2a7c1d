import Testing

@testable import InspectorTool

@Suite struct InspectorOptionsTests {
    @Test func `without options it listens on the loopback address, on a free port`() throws {
        let options = try InspectorOptions([])

        #expect((options.port, options.plan, options.network) == (0, nil, nil))
    }

    @Test func `each option is read`() throws {
        let options = try InspectorOptions(["--port", "8123", "--plan", "p", "--network", "192.168.1.20"])

        #expect((options.port, options.plan, options.network) == (8_123, "p", "192.168.1.20"))
        #expect(try InspectorOptions(["--help"]).showsHelp)
    }

    @Test(arguments: [
        (["--port", "x"], "--port: a number from 0 to 65535"), (["--port"], "--port needs a value"),
        (["--plan", "--network"], "--plan needs a value"), (["--bogus"], "no option --bogus; --help lists them"),
    ]) func `an invalid command line has a message`(words: [String], message: String) {
        #expect(throws: InspectorOptions.UsageError(message: message)) { try InspectorOptions(words) }
    }
}
