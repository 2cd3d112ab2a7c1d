#if os(macOS) || os(Linux)
public import Foundation
import Locks

/// A child process for tests that kill real processes: its lines as they come, and its end.
///
/// It is there where an app may start another one: on macOS and Linux.
public final class ChildProcess: Sendable {
    /// How a process has ended.
    public enum End: Sendable, Hashable {
        /// It returned a code.
        case code(Int32)
        /// A signal ended it.
        case signal(Int32)
    }

    /// The lines of its standard output, until it ends or closes it.
    ///
    /// They have one listener.
    public let lines: AsyncStream<String>
    /// Its process identifier.
    public let identifier: Int32
    private let end = Mutex(EndState())

    private struct EndState {
        var end: End?
        var waiting: [CheckedContinuation<End, Never>] = []
    }

    /// Starts an executable that was built beside the running test, such as `DeliveryProducer`.
    public convenience init(product name: String, arguments: [String]) throws {
        let directory = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        try self.init(executable: directory.appending(path: name), arguments: arguments)
    }

    /// Starts an executable with its own standard output; its errors go to the caller's.
    public init(executable: URL, arguments: [String]) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.arguments = arguments
        process.standardOutput = output
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

    /// Ends it with a signal at once; `SIGKILL` cannot be caught.
    public func send(signal: Int32) {
        kill(identifier, signal)
    }

    /// Waits for its end.
    public func ended() async -> End {
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

    /// Reads on a thread of its own, since a pipe blocks.
    private static func lines(of handle: FileHandle) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            var rest = Data()
            // `read(upToCount:)` would wait until it has all that it asks for.
            while case let data = handle.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
            continuation.finish()
        }
        return stream
    }
}
#endif
