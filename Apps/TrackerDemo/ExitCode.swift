/// The demo's exit codes, from `sysexits.h` if it defines one.
///
/// `--help` lists them.
enum ExitCode: Int32, Sendable {
    /// All accepted events were delivered.
    case success = 0
    /// Some events were not delivered. The summary states which and why.
    case undelivered = 2
    /// The arguments are invalid.
    case usage = 64
    /// The file to replay has no header with the known columns.
    case badData = 65
    /// The file to replay does not exist or cannot be read.
    case noInput = 66
    /// A part of the demo could not start.
    case unavailable = 69
    /// The queue's directory cannot be created or written.
    case cannotCreate = 73
    /// The file could not be read to its end.
    case readFailed = 74
    /// SIGINT ended the run early.
    case interrupted = 130
    /// SIGTERM ended the run early.
    case terminated = 143
}
