import Foundation

/// The allocations and system calls of a call of `track`, counted on the caller's thread.
struct CallersPath: Figure {
    private static let allocations = Row(
        "track, 2 services × 8 parameters: allocations",
        .count,
        .atMost(6),
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
    private static let counter = "BENCHMARK_ALLOCATION_COUNTER"

    let rows = [allocations, systemCalls]
    let runs = RunCount.once

    func measure(_ setting: Setting) throws -> [Sample] {
        [try countAllocations(setting), try countSystemCalls(setting)]
    }

    private func countAllocations(_ setting: Setting) throws -> Sample {
        guard let library = ProcessInfo.processInfo.environment[Self.counter], !library.isEmpty else {
            return Sample(row: Self.allocations.name, value: nil, note: "needs Linux and clang")
        }
        let load = ["--load", "allocations", "1000", setting.directory]
        let outcome = try Tool(path: Tool.ownExecutable).run(load, environment: ["LD_PRELOAD": library])
        let text = outcome.output.split(separator: "\n").last.map(String.init) ?? ""
        guard let count = Double(text) else { throw BenchmarkError("the counter was not loaded") }
        return Sample(row: Self.allocations.name, value: count)
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
