import Foundation

/// A build of the benchmark, of this checkout or of another commit.
struct BenchmarkProgram {
    /// The environment variable with the folder of another commit's programs.
    static let folderVariable = "BENCHMARK_PROGRAMS"
    /// This program.
    static let own = BenchmarkProgram(path: Tool.ownExecutable, environment: [:])

    /// The path of the executable.
    let path: String
    /// The variables for its process.
    let environment: [String: String]

    private init(path: String, environment: [String: String]) {
        (self.path, self.environment) = (path, environment)
    }

    /// Returns the program that `Scripts/benchmark` has built in the folder of another commit, if any.
    static func ofOtherCommit() -> BenchmarkProgram? {
        guard let root = ProcessInfo.processInfo.environment["BENCHMARK_AGAINST"] else { return nil }
        let folder = "\(root)/.build/release"
        let environment = ["BENCHMARK_PACKAGE": root, folderVariable: folder]
        return BenchmarkProgram(path: "\(folder)/TrackerBenchmark", environment: environment)
    }
}

/// A runner that measures figures in order, each run in a child process with its own directory.
struct FigureRunner {
    private let options: Options

    /// Creates a runner with the command-line options.
    init(_ options: Options) {
        self.options = options
    }

    /// Measures the selected figures.
    ///
    /// - Returns: The rows, in order.
    func run(_ figures: [any Figure]) throws -> [RowResult] {
        try forEach(of: figures, results)
    }

    /// Measures the selected figures by turns with this program and with that of another commit.
    ///
    /// - Returns: The rows of both, in order.
    func compare(_ figures: [any Figure], with other: BenchmarkProgram) throws -> [Comparison] {
        try forEach(of: figures) { figure, progress in
            var (today, then) = ([[Sample]](), [[Sample]]())
            for run in 1...runs(of: figure) {
                progress(run)
                // The program that begins alternates, too.
                for isToday in run.isMultiple(of: 2) ? [false, true] : [true, false] {
                    switch try measure(figure, by: isToday ? .own : other) {
                    case .success(let samples) where isToday: today.append(samples)
                    case .success(let samples): then.append(samples)
                    case .failure: break
                    }
                }
                // A commit without the figure, or a figure that fails, has no result in further runs.
                if today.count < run || then.count < run { break }
            }
            return Comparison.all(of: figure, today: today, then: then)
        }
    }

    private func forEach<Value>(
        of figures: [any Figure],
        _ body: (any Figure, (Int) -> Void) throws -> [Value]
    ) rethrows -> [Value] {
        let chosen = figures.filter { figure in
            let hasRow = figure.rows.contains { options.filter.isEmpty || $0.name.contains(options.filter) }
            return hasRow && runs(of: figure) > 0
        }
        defer { BenchmarkConsole.progress("") }
        return try chosen.enumerated().flatMap { index, figure in
            try body(figure) { run in
                let name = figure.rows.first?.name ?? ""
                BenchmarkConsole.progress("\(index + 1) of \(chosen.count): \(name), run \(run) of \(runs(of: figure))")
            }
        }
    }

    private func runs(of figure: any Figure) -> Int {
        if options.isQuick, figure.runs.quick == 0 { return 0 }
        return options.runs ?? (options.commit != nil ? 10 : options.isQuick ? figure.runs.quick : figure.runs.full)
    }

    private func results(of figure: any Figure, progress: (Int) -> Void) throws -> [RowResult] {
        var samples: [Sample] = []
        var failure: String?
        for run in 1...runs(of: figure) {
            progress(run)
            switch try measure(figure, by: .own) {
            case .success(let more): samples += more
            case .failure(let error): failure = "failed: \(error)"
            }
        }
        // One failed run voids the figure, because successful runs must not hide a loss or disorder.
        return figure.rows.map { RowResult($0, samples: failure == nil ? samples : [], failure: failure) }
    }

    /// Calls a closure with the path of a new directory, which is deleted afterwards.
    static func withDirectory<Value>(_ body: (String) throws -> Value) throws -> Value {
        let directory = FileManager.default.temporaryDirectory.appending(path: "benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        return try body(directory.path)
    }

    private func measure(
        _ figure: any Figure,
        by program: BenchmarkProgram
    ) throws -> Result<[Sample], BenchmarkError> {
        try FigureRunner.withDirectory { try measure(figure, by: program, in: $0) }
    }

    private func measure(
        _ figure: any Figure,
        by program: BenchmarkProgram,
        in directory: String
    ) throws -> Result<[Sample], BenchmarkError> {
        var words = ["--measure", figure.rows.first?.name ?? "", directory]
        if let clickstream = options.clickstream { words += ["--clickstream", clickstream] }
        let tool = figure.drivesPrograms ? Tool(path: Tool.ownExecutable) : Tool(path: program.path)
        let outcome = try tool.run(words, environment: program.environment, showsErrors: true)
        guard outcome.code == 0 else { return .failure(BenchmarkError("exit code \(outcome.code)")) }
        let line = outcome.output.split(separator: "\n").last ?? ""
        let samples = try? JSONDecoder().decode([Sample].self, from: Data(line.utf8))
        return samples.map { .success($0) } ?? .failure(BenchmarkError("no result"))
    }
}
