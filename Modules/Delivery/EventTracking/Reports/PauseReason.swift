/// The reason for a pause, in which a lane keeps its events and only probes the receiver.
public enum PauseReason: String, Sendable, Hashable, CaseIterable {
    /// The receiver refuses the credentials (401, 403, 407).
    case credentials
    /// The endpoint does not exist (404, 405, 410, 421).
    case endpoint
    /// The receiver is a database without the table (ClickHouse error codes 60 and 81).
    case missingTable
    /// The receiver's table lacks a column (ClickHouse error code 16).
    case missingColumn
    /// Another server responded: a redirect, a captive portal, or a page instead of an acknowledgement.
    case intercepted
    /// The receiver's certificate is not trusted.
    case trust
    /// The receiver does not speak this protocol (415, 501, 505), or refuses every event.
    case protocolMismatch
}
