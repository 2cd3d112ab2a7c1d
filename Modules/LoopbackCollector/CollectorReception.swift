/// How a collector takes in a request's body, decided when its head has been read.
///
/// A request whose body is not read to its end has not arrived: it is not recorded.
public enum CollectorReception: Sendable {
    /// Reads the whole body.
    case read
    /// Reads a few bytes at a time.
    case slowly(bytes: Int, every: Duration)
    /// Ends the connection after so many bytes of the body.
    case close(afterBytes: Int)
    /// Resets the connection after so many bytes of the body.
    case reset(afterBytes: Int)
    /// Stops reading after so many bytes of the body, until a gate opens; then reads the rest.
    case hold(CollectorHold, afterBytes: Int)
}
