import OptionParsing
import Testing

@testable import TrackerBenchmark

@Suite struct OptionsTests {
    @Test func `without arguments, every figure is printed in a table`() throws {
        let options = try Options([])

        #expect(options.filter.isEmpty && !options.isQuick && !options.printsJSON && !options.countsInstructions)
        #expect(options.comparison == nil && options.clickstream == nil && options.role == .parent)
    }

    @Test func `all options are read in any order`() throws {
        let words = ["--json", "--filter", "storm", "--instructions", "--compare", "a.json", "--quick"]
        let options = try Options(words + ["--clickstream", "c.csv", "--day"])

        #expect(options.filter == "storm" && options.comparison == "a.json" && options.clickstream == "c.csv")
        #expect(options.isQuick && options.printsJSON && options.countsInstructions)
        #expect(options.printsDay)
    }

    @Test func `a comparison with a commit has a number of runs, and excludes the other outputs`() throws {
        let options = try Options(["--against", "HEAD~1", "--runs", "3", "--quick"])

        #expect(options.commit == "HEAD~1" && options.runs == 3 && options.isQuick)
        for other in [["--json"], ["--day"], ["--compare", "a.json"]] {
            #expect(throws: UsageError.self) { try Options(["--against", "HEAD"] + other) }
        }
    }

    @Test func `a child gets a figure and a directory, and a load also a count`() throws {
        #expect(try Options(["--measure", "idle", "d"]).role == .child(figure: "idle", directory: "d"))
        #expect(try Options(["--load", "track", "7", "d"]).role == .load(name: "track", count: 7, directory: "d"))
    }

    @Test(arguments: [
        ["--filter"], ["--compare"], ["--against"], ["--runs", "0"], ["--fast"], ["storm"], ["--measure", "idle"],
        ["--load", "track", "0", "d"],
        ["--load", "track", "many", "d"],
    ])
    func `invalid arguments are refused`(words: [String]) {
        #expect(throws: UsageError.self) { try Options(words) }
    }
}
