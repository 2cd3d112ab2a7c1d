/// How the demo ends, in the numbers of `sysexits.h` where it has one; `--help` lists them.
enum ExitCode: Int32, Sendable {
    /// Everything that was accepted has been delivered.
    case success = 0
    /// Something was not delivered; a summary has said what and why.
    case undelivered = 2
    /// The arguments are wrong.
    case usage = 64
    /// The file to replay has no header of the known columns.
    case badData = 65
    /// The file to replay is not there or cannot be read.
    case noInput = 66
    /// A part of the demo could not be started.
    case unavailable = 69
    /// The queue's directory cannot be made or written.
    case cannotCreate = 73
    /// Reading failed in the middle of the file.
    case readFailed = 74
    /// SIGINT has ended the run early.
    case interrupted = 130
    /// SIGTERM has ended the run early.
    case terminated = 143
}
