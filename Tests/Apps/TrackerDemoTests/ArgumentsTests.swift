import CoreTracker
import EventDelivery
import OptionParsing
import SuperApp
import Testing

@testable import TrackerDemo

@Suite struct ArgumentsTests {
    @Test func `without arguments, the journey runs`() throws {
        let arguments = try Arguments([])

        #expect(arguments.replay == nil && arguments.queue == nil && arguments.awesomeEndpoint == nil)
        #expect(!arguments.isOffline && !arguments.printsJSON)
    }

    @Test func `all options are read in any order`() throws {
        let arguments = try Arguments(["--json", "--queue", "q", "--replay", "f.csv", "--offline"])

        #expect(arguments.replay == "f.csv")
        #expect(arguments.queue == "q")
        #expect(arguments.printsJSON && arguments.isOffline)
    }

    @Test func `vendors are enabled and disabled, and the last option wins`() throws {
        let words = ["--enable", "adobe", "--disable", "sumo", "--disable", "adobe", "--enable=adobe"]

        let vendors = try Arguments(words).vendors

        #expect(try Arguments([]).vendors == Vendors.enabledByDefault)
        #expect(vendors.isSuperset(of: [.adobe, .braze]) && !vendors.contains(.sumo))
    }

    @Test func `a value may follow an equals sign`() throws {
        let arguments = try Arguments(["--replay=a=b.csv", "--awesome-endpoint=http://127.0.0.1:8123"])

        #expect(arguments.replay == "a=b.csv")
        #expect(arguments.awesomeEndpoint == (try Endpoint("http://127.0.0.1:8123")))
    }

    @Test(arguments: [
        (["--bogus"], "unknown option --bogus"), (["-x"], "unknown option -x"),
        (["file"], "unexpected argument 'file'"),
        (["--disable", "x"], "--disable: there is no vendor 'x'"), (["--enable"], "--enable needs a value"),
        (["--replay", "f.csv", "--enable", "sumo"], "--enable and --disable apply"),
        (["--firebase-sdk", "--firebase-endpoint", "http://127.0.0.1:1"], "--firebase-sdk and --firebase-endpoint"),
        (["--replay"], "--replay needs a value"), (["--queue", "--json"], "--queue needs a value"),
        (["--queue="], "--queue needs a value"), (["--json=1"], "--json takes no value"),
        (["--awesome-endpoint", "here"], "--awesome-endpoint: not an absolute"),
        (["--awesome-user", "tracker"], "--awesome-user is for --awesome-endpoint"),
        (["--awesome-format", "otlp", "--awesome-server", "modern"], "--awesome-server is for ClickHouse only"),
        (["--awesome-server", "old"], "--awesome-server: portable or modern, not 'old'"),
        (["--ca-file"], "--ca-file needs a value"),
        (["--awesome-format", "xml"], "--awesome-format: ndjson or otlp, not 'xml'"),
        (["--firebase-endpoint", "http://example.com"], "--firebase-endpoint: http is not encrypted"),
        (["--offline", "--firebase-endpoint", "http://127.0.0.1:1"], "--offline and an endpoint"),
        (["--a\nb"], "unknown option --a\\n"),
    ]) func `invalid arguments produce an error of one line`(_ words: [String], _ start: String) throws {
        let error = #expect(throws: UsageError.self) { try Arguments(words) }

        #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("\n") == false)
    }

    @Test func `the help names every option and every exit code`() {
        let options = [
            "--replay", "--queue", "--offline", "--awesome-endpoint", "--awesome-format", "--awesome-user",
            "--awesome-server", "--firebase-endpoint", "--json", "--help",
        ]
        let codes = ["0", "2", "64", "65", "66", "69", "73", "74", "130", "143"]

        #expect(options.allSatisfy { Arguments.help.contains($0) })
        #expect(codes.allSatisfy { Arguments.help.contains(" \($0)  ") })
    }
}

@Suite struct ArgumentsGameTests {
    @Test func `the game has a seed, a number and a mode`() throws {
        let arguments = try Arguments(["--game", "--seed", "42", "--games=1000", "--headless"])

        #expect(arguments.game == GameOptions(isPlayed: true, seed: 42, games: 1_000, isHeadless: true))
    }

    @Test(arguments: [
        ["--seed", "1"], ["--headless"], ["--game", "--seed", "-1"], ["--game", "--games", "0"], ["--game=1"],
        ["--game", "--replay", "clicks.csv"],
    ]) func `invalid options of the game are refused`(_ words: [String]) {
        #expect(throws: UsageError.self) { try Arguments(words) }
    }
}

@Suite struct ArgumentsInspectionTests {
    @Test func `the inspector has any free port unless one is named`() throws {
        #expect(try Arguments([]).inspection == InspectionOptions())
        #expect(try Arguments(["--inspect"]).inspection.port == 0)
        #expect(try Arguments(["--inspect", "8123"]).inspection.port == 8_123)
        #expect(try Arguments(["--inspect=8123", "--game"]).inspection.port == 8_123)
        #expect(try Arguments(["--inspect", "--plan", "p"]).inspection.plan == "p")
    }

    @Test func `examples are those of a module or of an event, or all`() throws {
        let all = PlannedExamples.events(named: nil)
        let module = PlannedExamples.events(named: "DLCheckout")

        #expect(try Arguments(["--examples", "DLCheckout"]).inspection.examples == "DLCheckout")
        #expect(try Arguments(["--inspect", "--examples"]).inspection.tracksExamples)
        #expect(module.count == 3 && all.count > 20)
        let order = PlannedExamples.events(named: "DLOrderPlaced")
        #expect(order.map { "\($0.event)" } == ["DLOrderPlaced"] && order[0].catalog.defaults["screen"] == "checkout")
    }

    @Test(arguments: [
        ["--inspect", "70000"], ["--inspect", "x"], ["--inspect", "--offline"], ["--plan", "p"], ["--plan"],
        ["--examples", "nothing"], ["--examples", "--game"], ["--examples", "--replay", "f"],
    ]) func `conflicting options are refused`(words: [String]) {
        #expect(throws: UsageError.self) { try Arguments(words) }
    }
}
