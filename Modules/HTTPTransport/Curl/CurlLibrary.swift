#if !canImport(Darwin)
import CCurl
import Dispatch
import Foundation
import Synchronization

/// What libcurl has once in a process: its set-up, and the end of all loops before the process ends.
///
/// At a process's exit OpenSSL frees what a transfer under way still uses. The handlers of an exit run in the reverse
/// order of their registration, and have no context: this one is registered after OpenSSL's, and finds the loops here.
enum CurlLibrary {
    private struct Loops {
        struct Reference { weak let loop: CurlLoop? }
        var references: [Reference] = []
        var isExiting = false
    }

    /// How long the exit of the process waits for the loops at most.
    ///
    /// They end within milliseconds. But one that starts eight handshakes reads the system's authorities first, which
    /// takes a second on a machine that is very busy.
    private static let longestEnd = DispatchTimeInterval.seconds(5)
    private static let loops = Mutex(Loops())

    /// Whether libcurl is set up; the first to ask does it.
    static let isReady: Bool = {
        guard curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK else { return false }
        return atexit { CurlLibrary.endAll() } == 0
    }()

    /// Whether libcurl has a file of the system's authorities, beside the folder.
    static let hasAuthoritiesFile = ccurl_has_authorities_file() != 0

    /// Notes a loop, so that it ends before the process; `false` when the process is about to end.
    static func register(_ loop: CurlLoop) -> Bool {
        loops.withLock { loops in
            loops.references.removeAll { $0.loop == nil }
            loops.references.append(Loops.Reference(loop: loop))
            return !loops.isExiting
        }
    }

    private static func endAll() {
        let all = loops.withLock { loops in
            loops.isExiting = true
            return loops.references.compactMap(\.loop)
        }
        for loop in all { loop.abandon() }
        let moment = DispatchTime.now() + longestEnd
        for loop in all { loop.waitUntilEnded(by: moment) }
    }
}
#endif
