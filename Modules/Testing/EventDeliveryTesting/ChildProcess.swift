#if os(macOS) || os(Linux)
package import Foundation
import Locks

/// A child process, for tests that kill real processes.
///
/// ```swift
/// let tool = try ChildProcess(product: "QueueTool", arguments: [queue.url.path, "why", lane.description])
/// ```
///
/// It is available on macOS and Linux, where an app may start other processes.
package final class ChildProcess: Sendable {
    /// A way in which a process ended.
    package enum End: Sendable, Hashable {
        /// The process exited with a status.
        case code(Int32)
        /// A signal terminated the process.
        case signal(Int32)
    }

    /// The lines of standard output, and of standard error if the process was started so, until the process ends or
    /// closes it.
    ///
    /// The stream supports one consumer.
    package let lines: AsyncStream<String>
    /// The process identifier.
    package let identifier: Int32
    private let end = Mutex(EndState())

    private struct EndState {
        var end: End?
        var waiting: [CheckedContinuation<End, Never>] = []
    }

    /// Starts an executable from the build folder of the running test, such as `DeliveryProducer`.
    ///
    /// - Parameters:
    ///   - name: The name of the executable product.
    ///   - arguments: The arguments of the process.
    ///   - environment: The environment variables to add or to change.
    ///   - includesErrors: Whether ``lines`` includes standard error. Otherwise, the process uses the test's standard
    ///     error.
    /// - Throws: An error if the process cannot be started.
    package convenience init(
        product name: String,
        arguments: [String],
        environment: [String: String] = [:],
        includesErrors: Bool = false
    ) throws {
        let directory = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        try self.init(
            executable: directory.appending(path: name),
            arguments: arguments,
            environment: environment,
            includesErrors: includesErrors
        )
    }

    /// Starts an executable.
    ///
    /// - Parameters:
    ///   - executable: The location of the executable.
    ///   - arguments: The arguments of the process.
    ///   - environment: The environment variables to add or to change.
    ///   - includesErrors: Whether ``lines`` includes standard error. Otherwise, the process uses the test's standard
    ///     error.
    /// - Throws: An error if the process cannot be started.
    package init(
        executable: URL,
        arguments: [String],
        environment: [String: String] = [:],
        includesErrors: Bool = false
    ) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.arguments = arguments
        process.standardOutput = output
        if includesErrors { process.standardError = output }
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        lines = ChildProcess.lines(of: output.fileHandleForReading)
        let (ends, ending) = AsyncStream.makeStream(of: End.self)
        process.terminationHandler = { process in
            let status = process.terminationStatus
            ending.yield(process.terminationReason == .exit ? .code(status) : .signal(status))
            ending.finish()
        }
        try process.run()
        identifier = process.processIdentifier
        Task { for await end in ends { self.finish(end) } }
    }

    /// Sends a signal to the process.
    ///
    /// - Parameter signal: The signal. A process cannot catch `SIGKILL`.
    package func send(signal: Int32) {
        kill(identifier, signal)
    }

    /// Waits until the process ends.
    ///
    /// - Returns: The way in which it ended.
    package func ended() async -> End {
        await withCheckedContinuation { continuation in
            let known = end.withLock { state in
                if state.end == nil { state.waiting.append(continuation) }
                return state.end
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    private func finish(_ end: End) {
        let waiting = self.end.withLock { state in
            state.end = end
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: end) }
    }

    /// Reads lines on a separate thread, because reading from a pipe blocks.
    private static func lines(of handle: FileHandle) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            var rest = Data()
            // `read(upToCount:)` would wait until all requested bytes are available.
            while case let data = handle.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
            // Foundation keeps the handle of an ended process open.
            try? handle.close()
            continuation.finish()
        }
        return stream
    }
}
#endif
