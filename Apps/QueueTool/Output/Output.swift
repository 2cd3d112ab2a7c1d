import EventDelivery
import Foundation

/// The output of the tool: results on stdout, notes and the progress line on stderr.
///
/// Control and format characters from any file or argument are escaped here, in results and in notes, so a terminal
/// does not act on them. Results are written in pieces of 64 KB. The progress line appears only on a terminal, after
/// half a second, and is removed before any other output.
final class Output {
    private static let piece = 65_536
    private static let patience: Duration = .milliseconds(500)
    private static let interval: Duration = .milliseconds(100)

    private let showsProgress = isatty(STDERR_FILENO) == 1
    private let started = ContinuousClock.now
    private var lastProgress: ContinuousClock.Instant?
    private var isLineOpen = false
    private var bytes: [UInt8] = []

    /// Writes a line of the result.
    func print(_ line: String) {
        bytes += line.printable.utf8
        endLine()
    }

    /// Writes a line of JSON.
    func print(_ json: JSONWriter) {
        bytes += json.bytes.printableJSON
        endLine()
    }

    /// Writes a note after all earlier output.
    func log(_ text: String) {
        flush()
        clearProgress()
        Output.write(Array((text.printable + "\n").utf8), to: STDERR_FILENO)
    }

    /// Shows the progress of the work, at most ten times a second.
    func progress(_ text: @autoclosure () -> String) {
        guard showsProgress else { return }
        let now = ContinuousClock.now
        guard started.duration(to: now) > Output.patience,
            (lastProgress?.duration(to: now) ?? .seconds(1)) > Output.interval
        else { return }
        lastProgress = now
        isLineOpen = true
        Output.write(Array("\r\u{1B}[K\(text().prefix(79))".utf8), to: STDERR_FILENO)
    }

    /// Writes the buffered output.
    func flush() {
        guard !bytes.isEmpty else { return }
        clearProgress()
        Output.write(bytes, to: STDOUT_FILENO)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes the remaining output, and removes the progress line.
    func finish() {
        flush()
        clearProgress()
    }

    private func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Output.piece { flush() }
    }

    private func clearProgress() {
        guard isLineOpen else { return }
        isLineOpen = false
        Output.write(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO)
    }

    /// Writes all bytes.
    ///
    /// If the reader has closed the pipe, the process ends as by SIGPIPE.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Foundation.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, bytes.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let fault = errno
                Cleaner.shared.clean()
                guard descriptor == STDOUT_FILENO, fault != EPIPE else { exit(128 + SIGPIPE) }
                let reason = unsafe String(cString: strerror(fault))
                write(Array("queue: the output cannot be written: \(reason)\n".utf8), to: STDERR_FILENO)
                exit(QueueExitCode.failed.rawValue)
            }
            start += count
        }
    }
}
