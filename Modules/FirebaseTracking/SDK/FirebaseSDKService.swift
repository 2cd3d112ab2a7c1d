public import CoreTracker
public import EventDelivery
import Synchronization

/// The Firebase service of an app that links Firebase's SDK: checks each event and hands it over, one after the other.
///
/// `track` takes the defaults as they are now, applies `EventRules.firebaseSDK` and returns; the SDK is called in order
/// on a task of the service, since nobody promises that it may be called from several threads. The SDK stamps an event
/// with the time of that call, so the queue is short and bounded; what comes beyond it is counted and lost. Storing and
/// sending is the SDK's business: there is no ledger, no consent and no retry here.
public final class FirebaseSDKService: FirebaseService {
    /// What a service has done so far.
    public struct Statistics: Sendable, Hashable {
        /// The events that the SDK was given.
        public internal(set) var logged = 0
        /// The events that were not taken, by the broken rule, `queue_full` or `closed`.
        public internal(set) var refused: [String: Int] = [:]
        /// How often each repair was made, by the rule.
        public internal(set) var repaired: [String: Int] = [:]
    }

    private final class Books: Sendable {
        let statistics = Mutex(Statistics())
    }

    private let books: Books
    private let defaults: @Sendable () -> EventParameters
    private let disclosure: Disclosure
    private let queue: AsyncStream<FirebaseEvent>.Continuation
    private let consumer: Task<Void, Never>

    /// Creates a service on the SDK; at most `capacity` events wait for it.
    ///
    /// `salt` is the app's own key for sensitive values that are to be hashed; the SDK is an analytics purpose.
    /// `defaults` is evaluated inside each `track`, on the caller's thread; the event's own parameters win over it.
    public init(
        adapter: any FirebaseSDKAdapter,
        capacity: Int = 1_000,
        salt: Secret? = nil,
        defaults: @escaping @Sendable () -> EventParameters = { [:] }
    ) {
        let books = Books()
        let (events, queue) = AsyncStream.makeStream(
            of: FirebaseEvent.self,
            bufferingPolicy: .bufferingOldest(max(1, capacity))
        )
        self.books = books
        self.defaults = defaults
        disclosure = Disclosure(salt: salt)
        self.queue = queue
        consumer = Task {
            for await event in events {
                adapter.logEvent(event.name, parameters: event.parameters)
                books.statistics.withLock { $0.logged += 1 }
            }
        }
    }

    deinit {
        queue.finish()
    }

    /// What the service has done so far.
    public var statistics: Statistics { books.statistics.withLock { $0 } }

    public func track(_ event: FirebaseEvent) {
        do throws(EventRefusal) {
            try EventRules.firebaseSDK.check(name: event.name)
        } catch {
            return refuse(error.rule)
        }
        var repaired: [String: Int] = [:]
        let own = disclosure.apply(to: event.parameters, for: .analytics) { repaired[$0, default: 0] += 1 }
        let parameters = EventRules.firebaseSDK.repair(own, over: defaults()) { repaired[$0, default: 0] += 1 }
        if !repaired.isEmpty {
            books.statistics.withLock { $0.repaired.merge(repaired, uniquingKeysWith: +) }
        }
        switch queue.yield(FirebaseEvent(name: event.name, parameters: parameters)) {
        case .enqueued: break
        case .dropped: refuse("queue_full")
        case .terminated: refuse("closed")
        @unknown default: refuse("queue_full")
        }
    }

    /// Takes no more events and waits until the SDK was given those that were taken.
    public func close() async {
        queue.finish()
        await consumer.value
    }

    private func refuse(_ rule: String) {
        books.statistics.withLock { $0.refused[rule, default: 0] += 1 }
    }
}
