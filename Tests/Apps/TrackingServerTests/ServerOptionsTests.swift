import EventDelivery
import OptionParsing
import Testing

@testable import TrackingServer

@Suite struct ServerOptionsTests {
    @Test func `without options it uses a free port, memory and the usual limits`() throws {
        let options = try ServerOptions([])

        #expect((options.port, options.directory, options.capacity) == (0, nil, 8_192))
        #expect((options.wait, options.deadline) == (.seconds(1), .seconds(20)))
        #expect(!options.logsOutcomes)
    }

    @Test func `each option is read`() throws {
        let words = "--directory d --receiver http://127.0.0.1:1 --port 8080 --capacity 5 --wait 20 --deadline 3 --log"

        let options = try ServerOptions(words.split(separator: " ").map(String.init))

        #expect((options.directory, options.port) == ("d", 8_080))
        #expect(try options.receiver == Endpoint("http://127.0.0.1:1"))
        #expect((options.capacity, options.wait, options.deadline) == (5, .milliseconds(20), .seconds(3)))
        #expect(options.logsOutcomes)
    }

    @Test func `the help names each option`() {
        for option in ["directory", "receiver", "port", "capacity", "wait", "deadline", "log", "help"] {
            #expect(ServerOptions.help.contains("--\(option) "))
        }
    }

    @Test(arguments: [
        (["--port", "x"], "--port: a number from 0 to 65535"), (["--port"], "--port needs a value"),
        (["--receiver", "foo"], "--receiver: \(ConfigurationError.invalidURL(quoting: "foo"))"),
        (["--capacity", "0"], "--capacity: a number from 1 to 1000000"),
        (["--directory", "--log"], "--directory needs a value"), (["--bogus"], "unknown option --bogus; see --help"),
    ]) func `an invalid command line has a message`(words: [String], message: String) {
        #expect(throws: UsageError(message)) { try ServerOptions(words) }
    }
}
