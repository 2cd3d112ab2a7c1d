import Foundation

/// The benchmark's entry point.
@main
enum TrackerBenchmark {
    /// All figures, in the order of the table; a new figure is a line here and a file in `Figures`.
    private static let figures: [any Figure] = [CapabilityDispatch()]

    static func main() {
        guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
            try? FileHandle.standardError.write(contentsOf: Data((Options.usage + "\n").utf8))
            exit(64)
        }
        let results =
            figures
            .filter { options.filter.isEmpty || $0.name.contains(options.filter) }
            .map { FigureResult($0, runs: options.runs) }
        let text = options.printsJSON ? FigureResult.json(of: results) : FigureResult.table(of: results)
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
        exit(results.isEmpty || results.contains { !$0.isWithinBudget } ? 2 : 0)
    }
}
