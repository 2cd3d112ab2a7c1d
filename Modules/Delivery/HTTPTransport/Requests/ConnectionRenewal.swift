/// The times at which a transport opens new connections to a receiver.
///
/// A kept connection leads to the address that the receiver's name had when it was opened. Connections therefore have a
/// maximum lifetime. After a fault of the receiver, the next request uses a new connection, which may lead to a server
/// that works.
struct ConnectionRenewal {
    /// The maximum lifetime of a connection.
    static let lifetime = Duration.seconds(60)
    /// The minimum time between two renewals.
    static let interval = Duration.seconds(10)

    private var last = ContinuousClock.now - interval

    /// Returns whether the next request needs a new connection, and records the renewal.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - status: The status of a response, if one has arrived.
    mutating func isDue(at now: ContinuousClock.Instant, after status: Int? = nil) -> Bool {
        let isFault = status.map { $0 / 100 == 5 || $0 == 421 } ?? false
        guard now - last >= (isFault ? ConnectionRenewal.interval : ConnectionRenewal.lifetime) else { return false }
        last = now
        return true
    }

    /// Returns the maximum age of a connection for another request, in seconds: the time since the last renewal.
    func maximumAge(at now: ContinuousClock.Instant) -> Int { max(1, Int(clamping: (now - last).components.seconds)) }
}
