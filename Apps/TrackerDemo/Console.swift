import Foundation

/// The demo's output: results on stdout, notes and the progress line on stderr.
///
/// The progress line appears only on a terminal. Any other output replaces it.
@MainActor
final class Console {
    private let showsProgress = isatty(STDERR_FILENO) == 1
    private let interval: Duration = .milliseconds(100)
    private var lastProgress: ContinuousClock.Instant?
    private var isLineOpen = false

    /// Writes a result.
    func print(_ text: String) {
        clearProgress()
        write(text + "\n", to: .standardOutput)
    }

    /// Writes a note.
    func log(_ text: String) {
        clearProgress()
        write(text + "\n", to: .standardError)
    }

    /// Shows the progress, at most ten times a second.
    func progress(_ text: @autoclosure () -> String) {
        guard isProgressDue else { return }
        lastProgress = .now
        isLineOpen = true
        write("\r\u{1B}[K" + text().shortened(to: 79), to: .standardError)
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
        write("\r\u{1B}[K", to: .standardError)
    }

    /// Continue even if the reader of the output is gone.
    private func write(_ text: String, to handle: FileHandle) {
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
