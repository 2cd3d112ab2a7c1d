import Locks

/// What a collector does with connections and requests: a rule for each to begin, to take in and to answer.
///
/// Scripts are built from the answers and from each other; the rule given last is asked first.
public struct CollectorScript: Sendable {
    /// What a collector does with a connection before it reads from it.
    public enum Opening: Sendable, Hashable {
        /// Reads requests.
        case read
        /// Ends the connection, once the client has written something.
        case close
        /// Resets the connection, once the client has written something.
        case reset
        /// Writes these bytes and ends the connection, once the client has written something.
        case bytes([UInt8])
        /// Reads everything, and never says anything.
        case neverAnswer
    }

    let opening: @Sendable () -> Opening
    let reception: @Sendable (CollectedHead) -> CollectorReception
    let answer: @Sendable (CollectedRequest) -> CollectorAnswer

    /// Creates a script from a closure that answers each request.
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

    /// Accepts everything with status 200.
    public static let accept = CollectorScript.always(.accept)

    /// Gives every request the same answer.
    public static func always(_ answer: CollectorAnswer) -> CollectorScript {
        CollectorScript { _ in answer }
    }

    /// Gives the requests these answers, one each in the order of arrival, and all later ones another.
    public static func sequence(_ answers: [CollectorAnswer], then last: CollectorAnswer = .accept) -> CollectorScript {
        let counter = Counter()
        return CollectorScript { _ in
            let index = counter.next()
            return index < answers.count ? answers[index] : last
        }
    }

    /// A script that answers the requests which a predicate holds for, and leaves the others to this one.
    public func when(
        _ predicate: @escaping @Sendable (CollectedRequest) -> Bool,
        _ answer: CollectorAnswer
    ) -> CollectorScript {
        CollectorScript(opening, reception) { predicate($0) ? answer : self.answer($0) }
    }

    /// This script with another rule for taking requests in.
    public func receiving(_ reception: @escaping @Sendable (CollectedHead) -> CollectorReception) -> CollectorScript {
        CollectorScript(opening, reception, answer)
    }

    /// This script with another rule for connections, such as one that breaks the handshake of a client of TLS.
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
