import Foundation
import Locks

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
