import OptionParsing
import Testing

@Suite struct OptionReaderTests {
    @Test func `options, their values and other words are read in order`() throws {
        var reader = OptionReader(["queue", "--port", "8123", "-f", "--plan=a=b", "-"])
        var (port, plan, found): (UInt16?, String?, [String]) = (nil, nil, [])

        while let word = try reader.next() {
            if word == "--port" { port = try reader.number(in: 0...UInt16.max) }
            if word == "--plan" { plan = try reader.value() }
            found.append(reader.isOption ? "option \(word)" : word)
        }

        #expect(port == 8_123 && plan == "a=b")
        #expect(found == ["queue", "option --port", "option -f", "option --plan", "-"])
    }

    @Test(arguments: [
        (["--port"], "--port needs a value"), (["--port="], "--port needs a value"),
        (["--port", "--log"], "--port needs a value"), (["--port", "x"], "--port: a number from 1 to 9"),
        (["--port=10"], "--port: a number from 1 to 9"), (["--log=1"], "--log takes no value"),
        (["--log=1", "--log"], "--log takes no value"), (["--style", "c"], "--style: a or b, not 'c'"),
        (["--bogus=1"], "unknown option --bogus; see --help"), (["file"], "unexpected argument 'file'; see --help"),
        (["--a\nb"], "unknown option --a\\nb; see --help"),
    ]) func `an invalid command line has a message of one line`(words: [String], message: String) {
        #expect(throws: UsageError(message)) { try ExampleOptions(words) }
    }

    @Test func `an optional value is attached, or is the next word if that is no option`() throws {
        var reader = OptionReader(["--inspect", "--inspect", "1", "--inspect=2", "--yes", "DL", "--yes=TY"])
        var values: [String?] = []

        while let word = try reader.next() {
            if word == "--inspect" { values.append(reader.optionalValue()) }
            if word == "--yes" { values.append(reader.attachedValue()) }
        }

        #expect(values == [nil, "1", "2", nil, "TY"])
    }
}

/// The options of an example program.
private struct ExampleOptions: ProgramOptions {
    static let program = "example"
    static let help = ""

    init(_ words: [String]) throws(UsageError) {
        var reader = OptionReader(words)
        while let word = try reader.next() {
            switch word {
            case "--log": break
            case "--port": _ = try reader.number(in: 1...9)
            case "--style": _ = try reader.choice(of: ["a": 1, "b": 2])
            default: throw reader.unknown
            }
        }
    }
}
