/// Why a lane keeps everything and only probes.
public enum PauseReason: String, Sendable, Hashable, CaseIterable {
    /// The receiver refuses the credentials (401, 403, 407).
    case credentials
    /// There is no such endpoint (404, 405, 410, 421).
    case endpoint
    /// The receiver is a database that lacks the table, as ClickHouse says by the codes 60 and 81.
    case missingTable
    /// The receiver's table lacks a column, as ClickHouse says by the code 16.
    case missingColumn
    /// Somebody else answered: a redirect, a captive portal, a page where an acknowledgement should be.
    case intercepted
    /// The receiver's certificate is not trusted.
    case trust
    /// The receiver does not speak this protocol (415, 501, 505), or refuses every event alike.
    case protocolMismatch
}
