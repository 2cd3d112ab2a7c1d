#if canImport(Network)
import Dispatch
import Locks
import Network

/// The signal that the network can be used again, from the path monitor of the system.
public final class NetworkSignals: AppSignalSource {
    private let monitor = NWPathMonitor()
    private let usability = Mutex(NetworkUsability())

    /// Creates a source that watches the default path.
    public init() {}

    public func start(_ handler: @escaping @Sendable (AppSignal) -> Void) {
        monitor.pathUpdateHandler = { [weak self] path in
            let hasReturned = self?.usability.withLock { $0.update(isUsable: path.status == .satisfied) }
            if hasReturned == true { handler(.networkReturned) }
        }
        monitor.start(queue: DispatchQueue(label: "AppTracking.network"))
    }

    public func stop() {
        monitor.cancel()
    }
}
#endif
