import EventDelivery
import Foundation

/// The time of a clean build: for release, of CoreTracker, which every module imports, and of all modules; for debugging,
/// of a feature's tests.
struct CleanBuild: Figure {
    private static let core = Row("clean release build of CoreTracker", .nanoseconds)
    private static let everything = Row("clean release build of everything", .nanoseconds)

    private static let feature = Row("clean debug build of a feature's tests", .nanoseconds)

    let rows = [core, everything, feature]
    let runs = RunCount(full: 1, quick: 0)

    func measure(_ setting: Setting) throws -> [Sample] {
        guard let swift = Tool(named: "swift") else {
            return rows.map { Sample(row: $0.name, value: nil, note: "needs swift in the search path") }
        }
        let release = ["--configuration", "release"]
        let core = try build(release + ["--target", "CoreTracker"], by: swift, in: "\(setting.directory)/core")
        let everything = try build(release, by: swift, in: "\(setting.directory)/everything")
        let feature = try build(["--target", "DLProductDetailTests"], by: swift, in: "\(setting.directory)/feature")
        return [
            Sample(row: Self.core.name, value: core),
            Sample(row: Self.everything.name, value: everything),
            Sample(row: Self.feature.name, value: feature),
        ]
    }

    private func build(_ arguments: [String], by swift: Tool, in scratch: String) throws -> Double {
        var code: Int32 = 0
        let time = try Stopwatch.measure {
            let root = ProcessInfo.processInfo.environment["BENCHMARK_PACKAGE"] ?? "."
            let fixed = ["build", "--package-path", root, "--scratch-path", scratch]
            code = try swift.run(fixed + arguments).code
        }
        guard code == 0 else { throw BenchmarkError("the build has ended with \(code)") }
        return time
    }
}

/// The number of thread wake-ups of an open but idle engine in ten seconds.
///
/// The floor is the same process before it opens an engine. On Linux, libdispatch wakes its manager thread once a
/// second after the first use of a queue, so the count may differ by one.
struct Idle: Figure {
    private static let row = Row("idle, empty queue: wake-ups in 10 s", .count, .timesFloor(1.1))

    let rows = [row]
    let runs = RunCount(full: 3, quick: 1)

    func measure(_ setting: Setting) async throws -> [Sample] {
        await Task.detached {}.value
        let floor = wakeUps()
        let transport = ReceiverlessTransport(acknowledges: true)
        let live = try await LiveEngine(
            in: setting.directory,
            destinations: LiveEngine.destinations(),
            transport: transport
        )
        live.track(0..<1_000)
        while await live.deliveredCount() < 2_000 { usleep(1_000) }
        let value = wakeUps()
        await live.engine.close(deadline: .zero)
        return [Sample(row: Self.row.name, value: value, floor: floor, note: "needs /proc")]
    }

    /// Returns the wake-ups in ten seconds, or `nil` without `/proc`.
    ///
    /// The measurement starts after the runtime has parked its spare threads.
    private func wakeUps() -> Double? {
        guard ProcessUsage.wakeUpsOfOthers != nil else { return nil }
        sleep(8)
        guard let before = ProcessUsage.wakeUpsOfOthers else { return nil }
        sleep(10)
        return ProcessUsage.wakeUpsOfOthers.map { Double($0 - before) }
    }
}
