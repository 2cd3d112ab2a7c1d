import Locks

/// The rules for a collector's handling of connections and requests.
///
/// ```swift
/// let script = CollectorScript.accept.when({ $0.contains("poison") }, .status(400))
/// ```
///
/// Scripts are composed: start with a script such as ``accept`` and add rules. The last added rule applies first.
public struct CollectorScript: Sendable {
    /// The reaction of a collector to a new connection, before it reads requests.
    public enum Opening: Sendable, Hashable {
        /// Reads requests.
        case read
        /// Closes the connection after the client has sent data.
        case close
        /// Resets the connection after the client has sent data.
        case reset
        /// Sends bytes after the client has sent data, and closes the connection.
        case bytes([UInt8])
        /// Reads all data and never responds.
        case neverRespond
    }

    let opening: @Sendable () -> Opening
    let reception: @Sendable (CollectedHead) -> CollectorReception
    let action: @Sendable (CollectedRequest) -> CollectorAction

    /// Creates a script from closures.
    ///
    /// - Parameters:
    ///   - reception: A closure that selects how the body of a request is read.
    ///   - action: A closure that returns the action for a complete request.
    public init(
        receiving reception: @escaping @Sendable (CollectedHead) -> CollectorReception = { _ in .read },
        responding action: @escaping @Sendable (CollectedRequest) -> CollectorAction
    ) {
        self.init({ .read }, reception, action)
    }

    private init(
        _ opening: @escaping @Sendable () -> Opening,
        _ reception: @escaping @Sendable (CollectedHead) -> CollectorReception,
        _ action: @escaping @Sendable (CollectedRequest) -> CollectorAction
    ) {
        self.opening = opening
        self.reception = reception
        self.action = action
    }

    /// A script that responds to every request with status 200.
    public static let accept = CollectorScript.always(.accept)

    /// Returns a script that performs the same action for every request.
    ///
    /// - Parameter action: The action.
    /// - Returns: The script.
    public static func always(_ action: CollectorAction) -> CollectorScript {
        CollectorScript { _ in action }
    }

    /// Returns a script that performs one action for each request, in the order of arrival.
    ///
    /// - Parameters:
    ///   - actions: The actions for the first requests.
    ///   - last: The action for all later requests.
    /// - Returns: The script.
    public static func sequence(_ actions: [CollectorAction], then last: CollectorAction = .accept) -> CollectorScript {
        let counter = Counter()
        return CollectorScript { _ in
            let index = counter.next()
            return index < actions.count ? actions[index] : last
        }
    }

    /// Returns the action of this script for a request, which another script can use.
    ///
    /// - Parameter request: A complete request.
    /// - Returns: The action.
    public func action(for request: CollectedRequest) -> CollectorAction { action(request) }

    /// Returns a script with an action for some requests.
    ///
    /// All others are handled by this script.
    ///
    /// - Parameters:
    ///   - predicate: A closure that selects requests.
    ///   - action: The action for the selected requests.
    /// - Returns: The new script.
    public func when(
        _ predicate: @escaping @Sendable (CollectedRequest) -> Bool,
        _ action: CollectorAction
    ) -> CollectorScript {
        CollectorScript(opening, reception) { predicate($0) ? action : self.action($0) }
    }

    /// Returns this script with a different rule for reading bodies.
    ///
    /// - Parameter reception: A closure that selects how the body of a request is read.
    /// - Returns: The new script.
    public func receiving(_ reception: @escaping @Sendable (CollectedHead) -> CollectorReception) -> CollectorScript {
        CollectorScript(opening, reception, action)
    }

    /// Returns this script with a different rule for new connections, such as one that breaks TLS handshakes.
    ///
    /// - Parameter opening: A closure that returns the reaction to a new connection.
    /// - Returns: The new script.
    public func opening(_ opening: @escaping @Sendable () -> Opening) -> CollectorScript {
        CollectorScript(opening, reception, action)
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                defer { count += 1 }
                return count
            }
        }
    }
}
