import Foundation

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
        let chosen = figures.filter { figure in
            let hasRow = figure.rows.contains { options.filter.isEmpty || $0.name.contains(options.filter) }
            return hasRow && runs(of: figure) > 0
        }
        defer { BenchmarkConsole.progress("") }
        return try chosen.enumerated().flatMap { index, figure in
            try results(of: figure) { run in
                let name = figure.rows.first?.name ?? ""
                BenchmarkConsole.progress("\(index + 1) of \(chosen.count): \(name), run \(run) of \(runs(of: figure))")
            }
        }
    }

    private func runs(of figure: any Figure) -> Int {
        options.isQuick ? figure.runs.quick : figure.runs.full
    }

    private func results(of figure: any Figure, progress: (Int) -> Void) throws -> [RowResult] {
        var samples: [Sample] = []
        var failure: String?
        for run in 1...runs(of: figure) {
            progress(run)
            switch try measure(figure) {
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

    private func measure(_ figure: any Figure) throws -> Result<[Sample], BenchmarkError> {
        try FigureRunner.withDirectory { try measure(figure, in: $0) }
    }

    private func measure(_ figure: any Figure, in directory: String) throws -> Result<[Sample], BenchmarkError> {
        var words = ["--measure", figure.rows.first?.name ?? "", directory]
        if let clickstream = options.clickstream { words += ["--clickstream", clickstream] }
        let outcome = try Tool(path: Tool.ownExecutable).run(words, showsErrors: true)
        guard outcome.code == 0 else { return .failure(BenchmarkError("exit code \(outcome.code)")) }
        let line = outcome.output.split(separator: "\n").last ?? ""
        let samples = try? JSONDecoder().decode([Sample].self, from: Data(line.utf8))
        return samples.map { .success($0) } ?? .failure(BenchmarkError("no result"))
    }
}
