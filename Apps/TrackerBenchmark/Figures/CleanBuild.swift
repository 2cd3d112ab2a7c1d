import Foundation

/// The time of a clean release build: of CoreTracker, which every module imports, and of all modules.
struct CleanBuild: Figure {
    private static let core = Row("clean release build of CoreTracker", .nanoseconds)
    private static let everything = Row("clean release build of everything", .nanoseconds)

    let rows = [core, everything]
    let runs = RunCount(full: 1, quick: 0)

    func measure(_ setting: Setting) throws -> [Sample] {
        guard let swift = Tool(named: "swift") else {
            return rows.map { Sample(row: $0.name, value: nil, note: "needs swift in the search path") }
        }
        let core = try build(["--target", "CoreTracker"], by: swift, scratch: "\(setting.directory)/core")
        let everything = try build([], by: swift, scratch: "\(setting.directory)/everything")
        return [
            Sample(row: Self.core.name, value: core),
            Sample(row: Self.everything.name, value: everything),
        ]
    }

    private func build(_ arguments: [String], by swift: Tool, scratch: String) throws -> Double {
        var code: Int32 = 0
        let time = try Stopwatch.measure {
            let root = ProcessInfo.processInfo.environment["BENCHMARK_PACKAGE"] ?? "."
            let fixed = ["build", "--package-path", root, "--configuration", "release", "--scratch-path", scratch]
            code = try swift.run(fixed + arguments).code
        }
        guard code == 0 else { throw BenchmarkError("the build has ended with \(code)") }
        return time
    }
}
