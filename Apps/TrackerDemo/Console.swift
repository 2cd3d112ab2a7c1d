import Foundation

/// What the user sees: results on stdout, notes and the progress line on stderr.
///
/// The progress line appears on a terminal only, and gives way to everything else that is written.
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
    func note(_ text: String) {
        clearProgress()
        write(text + "\n", to: .standardError)
    }

    /// Shows how far the work is, at most ten times a second.
    func progress(_ text: @autoclosure () -> String) {
        guard isProgressDue else { return }
        lastProgress = .now
        isLineOpen = true
        write("\r\u{1B}[K" + text().shortened(to: 79), to: .standardError)
    }

    /// Whether the progress line may change now; never without a terminal.
    var isProgressDue: Bool {
        guard showsProgress else { return false }
        return lastProgress.map { $0.duration(to: .now) >= interval } ?? true
    }

    /// Takes the progress line away.
    func clearProgress() {
        guard isLineOpen else { return }
        isLineOpen = false
        write("\r\u{1B}[K", to: .standardError)
    }

    /// A reader that has gone away is no reason to stop.
    private func write(_ text: String, to handle: FileHandle) {
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
