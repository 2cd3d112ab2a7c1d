/// A measurement of one or more rows of the table, each run in a separate process.
protocol Figure: Sendable {
    /// The measured rows of a run, in the order of the table.
    var rows: [Row] { get }
    /// The number of runs, in full and quick mode.
    var runs: RunCount { get }
    /// Whether the figure only drives other programs, and not the engine in its own process.
    ///
    /// With `--against`, this program then measures the other commit's programs.
    var drivesPrograms: Bool { get }
    /// Measures once. The caller starts a new process for each run, so earlier runs affect neither memory nor caches.
    func measure(_ setting: Setting) async throws -> [Sample]
}

extension Figure {
    var drivesPrograms: Bool { false }
}

/// The number of runs of a figure, by mode.
struct RunCount: Sendable {
    /// The number without options.
    let full: Int
    /// The number with `--quick`.
    ///
    /// 0 skips the figure.
    let quick: Int

    /// For figures that take seconds.
    static let few = RunCount(full: 5, quick: 1)
    /// For figures that take almost no time.
    static let many = RunCount(full: 15, quick: 3)
    /// For figures without variation between runs, and figures that take minutes.
    static let once = RunCount(full: 1, quick: 1)
}

/// The environment of a run.
struct Setting: Sendable {
    /// An empty directory for this run, which is deleted afterwards.
    let directory: String
    /// The command-line options.
    let options: Options
}

/// A row's measurement in one run.
struct Sample: Codable, Sendable, Equatable {
    /// The row's name.
    let row: String
    /// The value in the row's unit, or `nil` if this machine cannot measure it.
    let value: Double?
    /// The floor in the same unit, measured in the same run.
    var floor: Double?
    /// The reason for a missing value.
    var note: String?
}

/// The reason for which a figure could not be measured or does not count.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    /// Creates an error with its text.
    init(_ description: String) {
        self.description = description
    }
}
