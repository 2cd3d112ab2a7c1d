import Foundation

/// The allocations and system calls of a call of `track`, counted on the caller's thread.
struct CallersPath: Figure {
    private static let allocations = Row(
        "track, 2 services × 8 parameters: allocations",
        .count,
        .atMost(2),
        isCount: true
    )
    private static let allocationsOfOneList = Row(
        "track, one list for both services: allocations",
        .count,
        .atMost(2),
        isCount: true
    )
    /// No system call belongs to a single call.
    ///
    /// A burst wakes the writer once, and sometimes waits for the allocator's lock while the writer frees memory.
    private static let systemCalls = Row("track, 2 services × 8 parameters: system calls in 1,000", .count, .atMost(10))
    /// Makes glibc allocate memory in large pieces.
    ///
    /// Otherwise it would request each page of a burst separately.
    private static let largePieces = ["MALLOC_TOP_PAD_": "67108864", "MALLOC_TRIM_THRESHOLD_": "1000000000"]

    let rows = [allocations, allocationsOfOneList, systemCalls]
    let runs = RunCount.once

    func measure(_ setting: Setting) throws -> [Sample] {
        [
            try count(Self.allocations, load: "allocations", setting),
            try count(Self.allocationsOfOneList, load: "allocations-of-one-list", setting),
            try countSystemCalls(setting),
        ]
    }

    private func count(_ row: Row, load: String, _ setting: Setting) throws -> Sample {
        guard let library = PreloadedCounter.library else {
            return Sample(row: row.name, value: nil, note: "needs Linux and clang")
        }
        let words = ["--load", load, "1000", setting.directory]
        let outcome = try Tool(path: Tool.ownExecutable).run(words, environment: ["LD_PRELOAD": library])
        let text = outcome.output.split(separator: "\n").last.map(String.init) ?? ""
        guard let count = Double(text) else { throw BenchmarkError("the counter was not loaded") }
        return Sample(row: row.name, value: count)
    }

    /// Counts the system calls of the tracking thread between two marks, which are system calls themselves.
    private func countSystemCalls(_ setting: Setting) throws -> Sample {
        guard let strace = Tool(named: "strace") else {
            return Sample(row: Self.systemCalls.name, value: nil, note: "needs strace")
        }
        let (trace, calls) = ("\(setting.directory)/trace", 1_000)
        let load = [Tool.ownExecutable, "--load", "system-calls", "\(calls)", "\(setting.directory)/queue"]
        let outcome = try strace.run(["-f", "-qq", "-o", trace] + load, environment: Self.largePieces)
        guard outcome.code == 0, let log = try? String(contentsOfFile: trace, encoding: .utf8),
            let count = SystemCallLog(log).countBetweenMarks
        else { return Sample(row: Self.systemCalls.name, value: nil, note: "strace may not trace here") }
        return Sample(row: Self.systemCalls.name, value: Double(count))
    }
}

/// The number of instructions on the hot path, counted by callgrind.
///
/// A load runs twice with different counts to cancel the process's start and end. One of the two runs sometimes searches
/// for a conformance once more, which takes 360,000 instructions: 36 for each call. The log is off, because on a slow
/// machine it would report an engine that is never opened. The floors are the same bodies and values by hand, and the
/// product's tracker for a feature's tracker.
struct Instructions: Figure {
    private static let loads = [
        (row: Row("instructions of track, 2 services × 8 parameters", .count, isCount: true), "track", "track-by-hand"),
        (
            row: Row("instructions of track through a feature's tracker", .count, .timesFloor(1.15), isCount: true),
            "feature", "track"
        ),
        (row: Row("instructions of track in a scope", .count, .timesFloor(1.15), isCount: true), "scope", "track"),
        (row: Row("instructions of encoding for Firebase", .count, isCount: true), "firebase", "firebase-by-hand"),
        (row: Row("instructions of encoding for AwesomeTracking", .count, isCount: true), "awesome", "awesome-by-hand"),
    ]
    private static let counts = (few: 500, many: 10_500)

    let rows = loads.map(\.row)
    let runs = RunCount.once

    func measure(_ setting: Setting) throws -> [Sample] {
        guard let valgrind = Tool(named: "valgrind") else {
            return rows.map { Sample(row: $0.name, value: nil, note: "needs valgrind") }
        }
        return try Self.loads.map { row, load, floor in
            let value = try perCall(load, by: valgrind, setting)
            return Sample(row: row.name, value: value, floor: try perCall(floor, by: valgrind, setting))
        }
    }

    private func perCall(_ load: String, by valgrind: Tool, _ setting: Setting) throws -> Double {
        let many = try total(load, Self.counts.many, by: valgrind, setting)
        let few = try total(load, Self.counts.few, by: valgrind, setting)
        return (many - few) / Double(Self.counts.many - Self.counts.few)
    }

    private func total(_ load: String, _ count: Int, by valgrind: Tool, _ setting: Setting) throws -> Double {
        let profile = "\(setting.directory)/callgrind.out"
        let tool = ["--tool=callgrind", "--quiet", "--callgrind-out-file=\(profile)", Tool.ownExecutable]
        let outcome = try valgrind.run(
            tool + ["--load", load, "\(count)", setting.directory],
            environment: ["SWIFT_DETERMINISTIC_HASHING": "1", "EVENT_DELIVERY_LOG": "off"]
        )
        let text = (try? String(contentsOfFile: profile, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").last { $0.hasPrefix("totals: ") || $0.hasPrefix("summary: ") }
        guard outcome.code == 0, let total = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw BenchmarkError("callgrind has ended with \(outcome.code)")
        }
        return total
    }
}
