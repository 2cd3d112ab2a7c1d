/// The rule that determines when a lane sends its stored events.
///
/// After each request, a phone's radio stays on for several seconds. A lane that collects events and sends them
/// together needs fewer wake-ups, so the battery lasts longer. A schedule does not delay storing.
///
/// Events are due if one of them has waited for ``interval``, if there are ``events`` or ``bytes`` of them, or if one
/// has a high priority. A flush makes all events due, and so does a request of another lane: the radio is on anyway.
/// The lane then sends all stored events. Events stored while a request is in flight wait for the next one. Retries
/// follow the lane's back-off. Events stored before the device restarted are due at once.
///
/// ```swift
/// configuration.schedule = SendingSchedule(interval: .seconds(120), events: 200)
/// configuration.laneSchedules[.awesomeTracking(product: "AC")] = .immediate
/// ```
public struct SendingSchedule: Sendable, Equatable {
    /// The maximum wait of a stored event, or zero to send it at once.
    public var interval: Duration
    /// The number of stored events at which the wait ends.
    public var events: Int
    /// The number of bytes of stored events, before compression, that are sent without further waiting.
    public var bytes: Int

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - interval: The maximum wait of a stored event, or zero to send it at once.
    ///   - events: The number of stored events at which the wait ends.
    ///   - bytes: The size of stored events in bytes at which the wait ends.
    public init(interval: Duration, events: Int = 100, bytes: Int = 100_000) {
        self.interval = interval
        self.events = events
        self.bytes = bytes
    }

    /// A schedule for servers and desktop computers, which sends each event at once.
    public static let immediate = SendingSchedule(interval: .zero)
    /// A schedule for phones: events wait for at most a minute.
    public static let phone = SendingSchedule(interval: .seconds(60))

    /// The schedule for the platform for which this code was compiled: ``phone`` on iOS, tvOS, watchOS and visionOS,
    /// otherwise ``immediate``.
    public static var standard: SendingSchedule {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        phone
        #else
        immediate
        #endif
    }

    /// Whether events are sent at once.
    var isImmediate: Bool { interval <= .zero }
}
