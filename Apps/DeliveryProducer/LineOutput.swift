import Foundation
import Locks

/// An unbuffered standard output.
///
/// A line is in the pipe when the call returns, and threads do not mix their lines.
final class LineOutput: Sendable {
    private let lock = Mutex(())

    func write(_ line: String) {
        lock.withLock { _ in FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
    }
}
