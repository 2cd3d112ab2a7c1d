import Foundation
import Locks

/// The demo's output: results on stdout, notes and the progress line on stderr.
///
/// The progress line appears only on a terminal. Any other output replaces it.
@MainActor
final class Console {
    private let showsProgress = isatty(STDERR_FILENO) == 1
    private let interval: Duration = .milliseconds(100)
    private var lastProgress: ContinuousClock.Instant?
    private var isLineOpen = false
    /// Whether the disk had no space for a result.
    private(set) var hasLostResult = false

    /// Writes a result.
    func print(_ text: String) {
        clearProgress()
        do {
            try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
        } catch CocoaError.fileWriteOutOfSpace {
            if !hasLostResult { log("the output cannot be written: the disk is full") }
            hasLostResult = true
        } catch {
            // Continue if the reader of the output is gone.
        }
    }

    /// Writes a note.
    func log(_ text: String) {
        clearProgress()
        write(text + "\n")
    }

    /// Writes a warning of the engine, from any thread.
    nonisolated static func warn(_ text: String) {
        let clearing = isatty(STDERR_FILENO) == 1 ? "\r\u{1B}[K" : ""
        try? FileHandle.standardError.write(contentsOf: Data("\(clearing)\(text)\n".utf8))
    }

    /// Shows the progress, at most ten times a second.
    func progress(_ text: @autoclosure () -> String) {
        guard isProgressDue else { return }
        lastProgress = .now
        isLineOpen = true
        write("\r\u{1B}[K" + text().shortened(to: 79))
    }

    /// Whether the progress line may be updated now.
    ///
    /// Always `false` without a terminal.
    var isProgressDue: Bool {
        guard showsProgress else { return false }
        return lastProgress.map { $0.duration(to: .now) >= interval } ?? true
    }

    /// Removes the progress line.
    func clearProgress() {
        guard isLineOpen else { return }
        isLineOpen = false
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

/// A request to stop, by SIGINT or SIGTERM.
///
/// After the first signal the demo stops reading and delivers for a moment. A second signal ends the process at once,
/// with the accepted events in the queue. This uses signal handlers because a dispatch source loses signals that arrive
/// during its setup (libdispatch on Linux).
struct Interruption: Sendable {
    /// The first signal that this process has received, or 0.
    private static let first = Atomic<Int32>(0)
    private static let message: StaticString = "\nstopping; a second signal ends at once\n"

    /// Installs the signal handlers.
    init() {
        // Initialize lazy values now, since a signal handler must not do it.
        _ = (isRaised, Interruption.message)
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                let exchange = Interruption.first.compareExchange(
                    expected: 0,
                    desired: number,
                    ordering: .sequentiallyConsistent
                )
                if !exchange.exchanged { _exit(128 + number) }
                let message = Interruption.message
                _ = unsafe write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
            }
        }
    }

    /// Whether a signal has arrived.
    var isRaised: Bool { Interruption.first.load(ordering: .sequentiallyConsistent) != 0 }

    /// The exit code for the signal, or `nil` if none has arrived.
    var exitCode: ExitCode? {
        switch Interruption.first.load(ordering: .sequentiallyConsistent) {
        case 0: nil
        case SIGINT: .interrupted
        default: .terminated
        }
    }
}
