import Foundation
import Locks

/// Standard output without a buffer: a line is in the pipe when the call returns, and stays whole among threads.
final class LineOutput: Sendable {
    private let lock = Mutex(())

    func write(_ line: String) {
        lock.withLock { _ in FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
    }
}
