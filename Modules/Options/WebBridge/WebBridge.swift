public import CoreTracker
public import EventTracking
import Locks

/// A bridge through which a guest, such as a web view or a mini app, tracks the events of its plan.
///
/// ```swift
/// let bridge = try WebBridge(product: "MA", schema: schema, origins: ["https://mini.example"])
/// ```
///
/// A guest passes messages, and the app decides everything else: the product, the lanes, the time, the session, the
/// user and the consent are those of the engine. A message is a JSON object with `service`, `name` and `parameters`, as
/// the tracking plan's tool describes an event in its JSON Schemas. It is tracked only if it fits the guest's schema.
/// Otherwise it is counted in the ledger of the guest's lane, with one of the reasons of ``receive(_:from:)``.
///
/// A bridge keeps nothing of a message, and can be used from any thread.
public final class WebBridge: Sendable {
    /// The maximum size of a message in bytes.
    public static let maximumBytes = 65_536
    /// The maximum number of levels of lists and objects in a message.
    public static let maximumDepth = EventParameters.maximumDepth

    private let product: String
    private let plan: GuestPlan
    private let origins: Set<WebOrigin>
    private let engine: DeliveryEngine
    private let options: TrackOptions
    private let defaults: @Sendable () -> EventParameters
    private let rate: Mutex<MessageRate>

    /// Creates the bridge of a guest.
    ///
    /// - Parameters:
    ///   - product: The guest's product, such as `MA`, which no message can change.
    ///   - schema: The JSON Schema of the guest's events, as the tracking plan's tool writes it for a module. Each of
    ///     its services has a lane of the product, such as `MA/awesomeTracking`.
    ///   - origins: The origins of the guest's pages, such as `https://mini.example`.
    ///   - messagesPerSecond: The maximum rate of messages, with as many in one moment. At least 1. A message counts
    ///     once, and again for each 4,096 bytes, so a page cannot use up the thread with large ones.
    ///   - engine: The engine that delivers the events. By default, the app's shared engine.
    ///   - options: The durability and the priority of the events. By default, they leave the last quarter of a full
    ///     buffer to the app's own events.
    ///   - defaults: Returns default parameters. It is called for each accepted message, on the caller's thread. The
    ///     event's own parameters override them.
    /// - Throws: ``WebBridgeError``.
    public init(
        product: String,
        schema: some Collection<UInt8>,
        origins: Set<String>,
        messagesPerSecond: Int = 100,
        on engine: DeliveryEngine = .shared,
        options: TrackOptions = TrackOptions(priority: .low),
        defaults: @escaping @Sendable () -> EventParameters = { [:] }
    ) throws(WebBridgeError) {
        plan = try GuestPlan(schema: Array(schema))
        var allowed: Set<WebOrigin> = []
        for text in origins {
            guard let origin = WebOrigin(text) else { throw .invalidOrigin(text) }
            allowed.insert(origin)
        }
        self.origins = allowed
        (self.product, self.engine, self.options, self.defaults) = (product, engine, options, defaults)
        let now = engine.buffer.clock.monotonicTime()
        rate = Mutex(MessageRate(maximum: max(1, messagesPerSecond), now: now))
    }

    /// Tracks the event of a message, or refuses and counts the message.
    ///
    /// The call is synchronous and never waits for disk or network. It takes about ten microseconds for a usual
    /// message, and up to some milliseconds for one of ``maximumBytes``, which counts as 17 messages of the rate. A
    /// refused message with a service of the plan is counted on the lane of that service, and any other one on the lane
    /// of the plan's first event.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - origin: The origin of the page, as the web view reports it, such as `https://mini.example`. Never use an
    ///     origin from the message.
    /// - Returns: `nil` if the event was accepted. Otherwise, the reason: `notInPlan`, `messageNotJSON`,
    ///   `messageTooDeep`, `messageTooLarge`, `messageOrigin`, `messageRate`, or a reason of the engine, such as
    ///   `consentDenied`.
    @discardableResult
    public func receive(_ message: String, from origin: String) -> DropReason? {
        guard let origin = WebOrigin(origin), origins.contains(origin) else { return refuse(.messageOrigin) }
        let now = engine.buffer.clock.monotonicTime()
        let bytes = message.utf8.count
        guard rate.withLock({ $0.take(bytes, at: now) }) else { return refuse(.messageRate) }
        guard bytes <= WebBridge.maximumBytes else { return refuse(.messageTooLarge) }
        do throws(JSONTree.Fault) {
            let message = try JSONTree(Array(message.utf8), depth: WebBridge.maximumDepth)
            guard let event = plan.event(message) else { return refuse(.notInPlan, plan.service(of: message)) }
            return lane(event.service).accept(event.name, event.parameters, defaults(), options)
        } catch {
            return refuse(error == .tooDeep ? .messageTooDeep : .messageNotJSON)
        }
    }

    private func lane(_ service: String) -> DeliveryLane { engine.lane(LaneID(product: product, service: service)) }

    /// Counts a refused message.
    private func refuse(_ reason: DropReason, _ service: String? = nil) -> DropReason {
        lane(service ?? plan.firstService).drop(reason)
        return reason
    }
}

/// A maximum rate of messages, as a bucket of tokens.
private struct MessageRate {
    /// The number of bytes of a message for each of its tokens.
    static let bytesOfToken = 4_096

    /// The number of messages in a second, and in one moment.
    let maximum: Int
    /// The number of messages that may arrive now.
    private var tokens: Double
    private var time: MonotonicInstant

    /// Creates a full bucket.
    init(maximum: Int, now: MonotonicInstant) {
        (self.maximum, tokens, time) = (maximum, Double(maximum), now)
    }

    /// Takes the tokens of a message, or returns `false` if there is none.
    ///
    /// A large message can take more than there are, and later ones wait for them.
    mutating func take(_ bytes: Int, at now: MonotonicInstant) -> Bool {
        // A thread may read the clock earlier and call later.
        if now > time {
            let seconds = Double(time.duration(to: now).nanoseconds) / 1e9
            tokens = min(Double(maximum), tokens + seconds * Double(maximum))
            time = now
        }
        guard tokens >= 1 else { return false }
        tokens -= Double(1 + min(bytes, WebBridge.maximumBytes) / MessageRate.bytesOfToken)
        return true
    }
}
