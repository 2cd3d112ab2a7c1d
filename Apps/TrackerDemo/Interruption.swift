import Foundation
import Locks

/// Whether SIGINT or SIGTERM asks the demo to come to its end.
///
/// The first signal is a request: reading stops, and what is on its way gets a moment. A second one ends the process at
/// once; what was accepted before is in the queue. Handlers of the system are used and no dispatch source, which loses
/// a signal that comes while it is being set up (libdispatch on Linux).
struct Interruption: Sendable {
    /// The first signal that has come to this process; 0 before.
    private static let first = Atomic<Int32>(0)
    private static let message: StaticString = "\nstopping; a second signal ends at once\n"

    /// Starts to listen.
    init() {
        // Whatever is made on first use is made now, since a handler must not.
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

    /// Whether a signal has come.
    var isRaised: Bool { Interruption.first.load(ordering: .sequentiallyConsistent) != 0 }

    /// How the process ends because of the signal; `nil` when none has come.
    var exitCode: ExitCode? {
        switch Interruption.first.load(ordering: .sequentiallyConsistent) {
        case 0: nil
        case SIGINT: .interrupted
        default: .terminated
        }
    }
}
