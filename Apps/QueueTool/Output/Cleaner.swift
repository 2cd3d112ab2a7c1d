import Foundation
import Locks

/// An object that removes the private copies when the process ends, even by a catchable signal.
///
/// The next process removes the copies of a killed process.
final class Cleaner: Sendable {
    static let shared = Cleaner()
    private static let prefix = "event-queue-"

    private let folders = Mutex<Set<String>>([])

    /// Creates a folder that only this user can read.
    func makeFolder() throws(ToolError) -> URL {
        removeLeft()
        let name = "\(Cleaner.prefix)\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw ToolError("a copy cannot be made in \(url.deletingLastPathComponent().path)", .failed)
        }
        _ = folders.withLock { $0.insert(url.path) }
        return url
    }

    /// Removes a folder.
    func remove(_ folder: URL) {
        try? FileManager.default.removeItem(at: folder)
        _ = folders.withLock { $0.remove(folder.path) }
    }

    /// Removes all folders.
    func clean() {
        for path in folders.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Removes the folders when a signal ends the process.
    ///
    /// A thread waits for these signals, because a signal handler may call very few functions. A write that exceeds the
    /// shell's limit on file size fails with an error, as on a full disk.
    func catchSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread { [signals] in
            var (signals, number) = (signals, Int32(0))
            guard unsafe sigwait(&signals, &number) == 0 else { return }
            self.clean()
            exit(128 + number)
        }
    }

    /// Removes the folders of killed processes.
    private func removeLeft() {
        let directory = FileManager.default.temporaryDirectory
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [] {
            guard name.hasPrefix(Cleaner.prefix),
                let process = name.dropFirst(Cleaner.prefix.count).split(separator: "-").first.flatMap({ Int32($0) }),
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? FileManager.default.removeItem(at: directory.appendingPathComponent(name))
        }
    }
}
