#if canImport(Network)
import Dispatch
import Locks
import Network

/// A source of the signal that the network is usable again, from the system's path monitor.
public final class NetworkSignals: AppSignalSource {
    private let monitor = NWPathMonitor()
    private let usability = Mutex(NetworkUsability())

    /// Creates a source that monitors the default path.
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
