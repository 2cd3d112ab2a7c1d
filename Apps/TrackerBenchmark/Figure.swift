/// Something to measure: one or several rows of the table, from one run in a process of its own.
protocol Figure: Sendable {
    /// The rows that a run answers, in the order of the table.
    var rows: [Row] { get }
    /// How often it is measured, by how much the user has asked for.
    var runs: RunCount { get }
    /// Measures once, in a fresh process, so that nothing before it weighs on its memory or its caches.
    func measure(_ setting: Setting) async throws -> [Sample]
}

/// How often a figure is measured.
struct RunCount: Sendable {
    /// Without options.
    let full: Int
    /// With `--quick`; 0 leaves the figure out.
    let quick: Int

    /// What takes seconds is measured a few times.
    static let few = RunCount(full: 5, quick: 1)
    /// What takes no time is measured often.
    static let many = RunCount(full: 15, quick: 3)
    /// What is the same in each run, or takes minutes.
    static let once = RunCount(full: 1, quick: 1)
}

/// What a run is given.
struct Setting: Sendable {
    /// A directory for this run alone, empty at its start and deleted after it.
    let directory: String
    /// The rest of what the user has asked for.
    let options: Options
}

/// What one run has measured for a row.
struct Sample: Codable, Sendable, Equatable {
    /// The row's name.
    let row: String
    /// The value, in the row's unit; `nil` where this machine cannot measure it.
    let value: Double?
    /// The floor, in the same unit, measured in the same run.
    var floor: Double?
    /// Why there is no value.
    var note: String?
}
