import Dispatch
import Foundation
import Synchronization

/// Whether SIGINT or SIGTERM asks the demo to come to its end.
///
/// The first signal is a request: reading stops, and what is on its way gets a moment. A second one ends the process at
/// once; what was accepted before is in the queue.
@MainActor
final class Interruption {
    /// The first signal that came; 0 before.
    private final class Flag: Sendable {
        private let first = Mutex<Int32>(0)

        var number: Int32 { first.withLock { $0 } }

        func raise(_ number: Int32) {
            let isSecond = first.withLock { first in
                guard first == 0 else { return true }
                first = number
                return false
            }
            if isSecond { _exit(128 + number) }
            try? FileHandle.standardError.write(contentsOf: Data("\nstopping; a second signal ends at once\n".utf8))
        }
    }

    private let flag = Flag()
    private let sources: [any DispatchSourceSignal]

    /// Starts to listen.
    init() {
        let flag = flag
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            let handler: @Sendable () -> Void = { flag.raise(number) }
            source.setEventHandler(handler: handler)
            source.activate()
            return source
        }
    }

    /// Whether a signal has come.
    var isRaised: Bool { flag.number != 0 }

    /// How the process ends because of the signal; `nil` when none has come.
    var exitCode: ExitCode? {
        switch flag.number {
        case 0: nil
        case SIGINT: .interrupted
        default: .terminated
        }
    }
}
