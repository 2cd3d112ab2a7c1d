import Foundation
import OptionParsing

/// The benchmark's entry point.
@main
enum TrackerBenchmark {
    /// All figures, in the order of the table.
    ///
    /// To add a figure, add a file in `Figures` and list it here.
    private static let figures: [any Figure] = [
        TrackCall(), CallersPath(), StoredRate(), AcknowledgedRate(), Storm(threads: 8), Storm(threads: 64),
        Backlog(), DiskBytes(), Deletion(), LongestTurn(.oneLane), LongestTurn(.manyUsers), StartAfterKill(),
        CapabilityDispatch(), FeatureScope(), InspectedTrack(), FeatureCost(), LaneCount(), ConfiguredLanes(),
        SlowReceiver(), LinkDrain(.firebase), LinkDrain(.awesomeTracking), LinkDrain(.openTelemetry), Idle(),
        SimulatedDay(), DemoReplay(), DemoGame(), SmallClient(), CleanBuild(), DebugBuild(),
    ]

    static func main() async {
        // The process must continue if a collector closes its connection.
        signal(SIGPIPE, SIG_IGN)
        let options = Options.ofProcess()
        do {
            switch options.role {
            case .parent where options.printsDay:
                BenchmarkConsole.print(try FigureRunner.withDirectory { try DayReport.measured(in: $0).table })
            case .parent:
                let quiet = QuietCheck()
                let code = try options.commit.map { try compare(with: $0, options) } ?? report(options)
                BenchmarkConsole.log(quiet.sentence)
                exit(code)
            case .child(let name, let directory): try await measure(name, in: directory, options)
            case .load(let name, let count, let directory):
                guard let text = try await ToolLoad.run(name, count: count, directory: directory) else {
                    end("there is no load \(name)\n", code: 64)
                }
                BenchmarkConsole.print(text)
            }
        } catch {
            end("TrackerBenchmark: \(error)\n", code: 1)
        }
    }

    private static func figures(_ options: Options) -> [any Figure] {
        options.countsInstructions ? [Instructions()] : figures
    }

    /// Runs the figures and prints the report.
    ///
    /// - Returns: The exit code.
    private static func report(_ options: Options) throws -> Int32 {
        var earlier: Report?
        if let path = options.comparison {
            guard let report = Report(path: path) else { end("\(path) is not a result of --json\n", code: 66) }
            earlier = report
        }
        let report = Report(try FigureRunner(options).run(figures(options)))
        BenchmarkConsole.print(options.printsJSON ? report.json : report.table)
        let growth = earlier.map { report.growth(since: $0) } ?? []
        for line in growth { BenchmarkConsole.log(line) }
        if !growth.isEmpty { return 3 }
        return report.isWithinBudget ? 0 : 2
    }

    /// Compares the figures with those of another commit.
    ///
    /// - Returns: The exit code.
    private static func compare(with commit: String, _ options: Options) throws -> Int32 {
        guard let other = BenchmarkProgram.ofOtherCommit() else {
            end("--against: start Scripts/benchmark, which builds \(commit)\n", code: 64)
        }
        let rows = try FigureRunner(options).compare(figures(options), with: other)
        BenchmarkConsole.print(Comparison.table(rows, commit: commit))
        return rows.contains { $0.ratio != nil } ? 0 : 2
    }

    /// Measures a figure once, and prints the samples for the parent process.
    private static func measure(_ name: String, in directory: String, _ options: Options) async throws {
        guard let figure = (figures + [Instructions()]).first(where: { $0.rows.first?.name == name }) else {
            throw BenchmarkError("there is no figure \(name)")
        }
        let samples = try await figure.measure(Setting(directory: directory, options: options))
        BenchmarkConsole.print(String(decoding: try JSONEncoder().encode(samples), as: UTF8.self))
    }

    private static func end(_ text: String, code: Int32) -> Never {
        BenchmarkConsole.write(text, to: .standardError)
        exit(code)
    }
}
