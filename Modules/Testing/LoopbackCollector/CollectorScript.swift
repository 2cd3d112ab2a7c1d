import Locks

/// The rules by which a collector handles connections and requests.
///
/// ```swift
/// let script = CollectorScript.accept.when({ $0.contains("poison") }, .status(400))
/// ```
///
/// Scripts are composed: start with a script such as ``accept`` and add rules. The rule that was added last applies
/// first.
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
        case neverAnswer
    }

    let opening: @Sendable () -> Opening
    let reception: @Sendable (CollectedHead) -> CollectorReception
    let answer: @Sendable (CollectedRequest) -> CollectorAnswer

    /// Creates a script from closures.
    ///
    /// - Parameters:
    ///   - reception: A closure that selects how the body of a request is read.
    ///   - answer: A closure that returns the answer to a complete request.
    public init(
        receiving reception: @escaping @Sendable (CollectedHead) -> CollectorReception = { _ in .read },
        answering answer: @escaping @Sendable (CollectedRequest) -> CollectorAnswer
    ) {
        self.init({ .read }, reception, answer)
    }

    private init(
        _ opening: @escaping @Sendable () -> Opening,
        _ reception: @escaping @Sendable (CollectedHead) -> CollectorReception,
        _ answer: @escaping @Sendable (CollectedRequest) -> CollectorAnswer
    ) {
        self.opening = opening
        self.reception = reception
        self.answer = answer
    }

    /// A script that answers every request with status 200.
    public static let accept = CollectorScript.always(.accept)

    /// Returns a script that gives the same answer to every request.
    ///
    /// - Parameter answer: The answer.
    /// - Returns: The script.
    public static func always(_ answer: CollectorAnswer) -> CollectorScript {
        CollectorScript { _ in answer }
    }

    /// Returns a script that gives one answer to each request, in the order of arrival.
    ///
    /// - Parameters:
    ///   - answers: The answers to the first requests.
    ///   - last: The answer to all later requests.
    /// - Returns: The script.
    public static func sequence(_ answers: [CollectorAnswer], then last: CollectorAnswer = .accept) -> CollectorScript {
        let counter = Counter()
        return CollectorScript { _ in
            let index = counter.next()
            return index < answers.count ? answers[index] : last
        }
    }

    /// Returns a script with an answer for some requests.
    ///
    /// All others are handled by this script.
    ///
    /// - Parameters:
    ///   - predicate: A closure that selects requests.
    ///   - answer: The answer to the selected requests.
    /// - Returns: The new script.
    public func when(
        _ predicate: @escaping @Sendable (CollectedRequest) -> Bool,
        _ answer: CollectorAnswer
    ) -> CollectorScript {
        CollectorScript(opening, reception) { predicate($0) ? answer : self.answer($0) }
    }

    /// Returns this script with a different rule for reading bodies.
    ///
    /// - Parameter reception: A closure that selects how the body of a request is read.
    /// - Returns: The new script.
    public func receiving(_ reception: @escaping @Sendable (CollectedHead) -> CollectorReception) -> CollectorScript {
        CollectorScript(opening, reception, answer)
    }

    /// Returns this script with a different rule for new connections, such as one that breaks TLS handshakes.
    ///
    /// - Parameter opening: A closure that returns the reaction to a new connection.
    /// - Returns: The new script.
    public func opening(_ opening: @escaping @Sendable () -> Opening) -> CollectorScript {
        CollectorScript(opening, reception, answer)
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
