/// A way to read the body of a request, which the script selects after the head.
///
/// If a body is not read completely, its request is not recorded.
public enum CollectorReception: Sendable {
    /// Reads the whole body.
    case read
    /// Reads a few bytes per interval.
    case slowly(bytes: Int, every: Duration)
    /// Closes the connection after a number of bytes of the body.
    case close(afterBytes: Int)
    /// Resets the connection after a number of bytes of the body.
    case reset(afterBytes: Int)
    /// Stops reading after a number of bytes of the body until a hold is released, then reads the rest.
    case hold(CollectorHold, afterBytes: Int)
}
