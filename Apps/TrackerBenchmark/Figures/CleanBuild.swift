import EventDelivery
import Foundation

/// The time of a clean build for release, of CoreTracker, which every module imports, and of all modules.
struct CleanBuild: Figure {
    private static let core = Row("clean release build of CoreTracker", .nanoseconds)
    private static let everything = Row("clean release build of everything", .nanoseconds)

    let rows = [core, everything]
    let runs = RunCount(full: 1, quick: 0)

    func measure(_ setting: Setting) throws -> [Sample] {
        guard let package = SwiftPackage(at: SwiftPackage.root) else { return SwiftPackage.missingSamples(rows) }
        let release = ["--configuration", "release"]
        let core = try package.build(release + ["--target", "CoreTracker"], in: "\(setting.directory)/core")
        let everything = try package.build(release, in: "\(setting.directory)/everything")
        return [Sample(row: Self.core.name, value: core), Sample(row: Self.everything.name, value: everything)]
    }
}

/// The time of builds for debugging: a clean build of a feature's tests, and a build of the demo, which has all
/// modules, after a change of one file.
struct DebugBuild: Figure {
    private static let feature = Row("clean debug build of a feature's tests", .nanoseconds)
    /// The changed files, each of which gets a new function.
    private static let changes: KeyValuePairs = [
        "an event": "DolapLite/DLProductDetail/DLProductDetailEvents.swift",
        "the engine": "Delivery/EventDelivery/State/DeliveryState.swift",
        "CoreTracker": "Core/CoreTracker/EventParameters.swift",
    ]

    let rows = [feature] + changes.map { row($0.key) }
    let runs = RunCount(full: 1, quick: 0)

    func measure(_ setting: Setting) throws -> [Sample] {
        guard let package = SwiftPackage(at: "\(setting.directory)/copy") else {
            return SwiftPackage.missingSamples(rows)
        }
        try FileManager.default.createDirectory(atPath: package.path, withIntermediateDirectories: false)
        for item in ["Package.swift", "Modules", "Apps", "Tests"] {
            try FileManager.default.copyItem(
                atPath: "\(SwiftPackage.root)/\(item)",
                toPath: "\(package.path)/\(item)"
            )
        }
        let scratch = "\(setting.directory)/debug"
        let feature = try package.build(["--target", "DLProductDetailTests"], in: scratch)
        try package.build(["--product", "TrackerDemo"], in: scratch)
        let changes = try Self.changes.map { change, file in
            let path = "\(package.path)/Modules/\(file)"
            let text = try String(contentsOfFile: path, encoding: .utf8) + "\nfunc changeOfBenchmark() {}\n"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return Sample(
                row: Self.row(change).name,
                value: try package.build(["--product", "TrackerDemo"], in: scratch)
            )
        }
        return [Sample(row: Self.feature.name, value: feature)] + changes
    }

    private static func row(_ change: String) -> Row { Row("debug build after a change of \(change)", .nanoseconds) }
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
        await live.engine.close(timeout: .zero)
        return [Sample(row: Self.row.name, value: value, floor: floor, note: "needs /proc")]
    }

    /// Returns the wake-ups in ten seconds of the threads that do not end meanwhile, or `nil` without `/proc`.
    ///
    /// The measurement starts after the first part of each sleep, and after the runtime has parked its spare threads.
    private func wakeUps() -> Double? {
        guard ProcessUsage.wakeUpsOfOthers != nil else { return nil }
        sleep(20)
        guard let before = ProcessUsage.wakeUpsOfOthers else { return nil }
        sleep(10)
        return ProcessUsage.wakeUpsOfOthers?.reduce(0) { $0 + Double($1.value - before[$1.key, default: 0]) }
    }
}
