import EventDeliveryTesting
import Foundation
import Locks

/// A runner that passes crafted files to child processes and watches each case.
///
/// A case fails if it ends the process or takes the library more than five seconds.
struct FileFuzzer {
    private struct Findings: Error, CustomStringConvertible { let description: String }

    /// The maximum duration of a case.
    private static let limit: Duration = .seconds(5)

    let seed: UInt64

    /// The progress of a child process.
    private struct Progress {
        var number: UInt64
        var since = ContinuousClock.now
        var isHanging = false
    }

    /// Runs cases until a time or up to a number, and prints a summary.
    func run(_ options: FuzzOptions, until end: ContinuousClock.Instant) async throws {
        let (start, last) = (ContinuousClock.now, options.cases.map { options.first + $0 } ?? .max)
        var next = options.first
        var (findings, slow) = ([String](), 0)
        while next < last, options.cases != nil || .now < end {
            let (number, outcome) = try await child(from: next, to: min(last, next + 100))
            var finding = outcome
            if let first = outcome {
                // Another process may have delayed the case, so it is repeated. A slow case is slow again.
                finding = try await child(from: number, to: number + 1).1
                print("case \(number) \(first)\(finding == nil ? ", but not when it was repeated" : "")")
                slow += finding == nil ? 1 : 0
            }
            if let finding { findings.append("case \(number) \(finding)") }
            next = number + 1
        }
        let seconds = Int((.now - start) / .seconds(1))
        print("\(next - options.first) cases in \(seconds) s, \(findings.count) findings, \(slow) not repeatable")
        fflush(nil)
        if !findings.isEmpty { throw Findings(description: findings.joined(separator: ", ")) }
    }

    /// Runs cases in a child process.
    ///
    /// - Returns: The last case, and how it ended the child.
    private func child(from number: UInt64, to end: UInt64) async throws -> (UInt64, String?) {
        let cases = ["--from", "\(number)", "--cases", "\(end - number)"]
        let child = try ChildProcess(
            executable: URL(filePath: CommandLine.arguments[0]),
            arguments: ["files", "--here", "--seed", "\(seed)"] + cases
        )
        let watch = Watch(number)
        let watching = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(100))
                if watch.isOver(FileFuzzer.limit) { child.send(signal: SIGKILL) }
            }
        }
        for await line in child.lines {
            if let number = UInt64(line) { watch.begin(number) }
        }
        let end = await child.ended()
        watching.cancel()
        return (watch.number, watch.isHanging ? "took more than \(FileFuzzer.limit)" : finding(end))
    }

    private func finding(_ end: ChildProcess.End) -> String? {
        switch end {
        case .code(0): nil
        case .code(let code): "ended with exit code \(code)"
        case .signal(let signal): "ended by signal \(signal)"
        }
    }

    /// The current case of a child and its duration.
    private final class Watch: Sendable {
        private let progress: Mutex<Progress>

        init(_ number: UInt64) {
            progress = Mutex(Progress(number: number))
        }

        var number: UInt64 { progress.withLock { $0.number } }
        var isHanging: Bool { progress.withLock { $0.isHanging } }

        func begin(_ number: UInt64) {
            progress.withLock { progress in
                // Ignore lines after the child was found to be hanging.
                if !progress.isHanging { progress = Progress(number: number) }
            }
        }

        func isOver(_ limit: Duration) -> Bool {
            progress.withLock { progress in
                if ContinuousClock.now - progress.since > limit { progress.isHanging = true }
                return progress.isHanging
            }
        }
    }
}
