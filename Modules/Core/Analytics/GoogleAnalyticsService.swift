import CoreTracker

/// A service that converts steps to Google Analytics events and passes them to an SDK.
///
/// ```swift
/// GoogleAnalyticsService(adapter: sdk).send(event: .basketOpened(items: 2, isGuest: true))
///
/// #expect(sdk.events == ["basketOpened isGuest 1 itemCount 2"])
/// ```
///
/// The SDK handles consent and losses. For a durable queue and a ledger, use `GoogleAnalyticsLane` of the module
/// `EventTracking` instead.
///
/// The service is not `Sendable`, because an SDK's class need not be. It stays on the actor that creates it.
public struct GoogleAnalyticsService: AnalyticsService {
    private let adapter: any GoogleAnalyticsAdapter
    private let names: GoogleEvent.NameStyle

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - adapter: Receives each event, on the thread that sends the step.
    ///   - names: The spelling of names and keys; by default they are passed unchanged.
    public init(adapter: any GoogleAnalyticsAdapter, names: GoogleEvent.NameStyle = .asWritten) {
        self.adapter = adapter
        self.names = names
    }

    public func send(event: Journey.Event) {
        let event = GoogleEvent(event, names: names)
        adapter.trackEvent(with: event.name, properties: event.properties.dictionary)
    }
}

/// A connection from a ``GoogleAnalyticsService`` to the SDK of Google Analytics.
///
/// An SDK's class with this method needs only an empty extension. Tests use `MockGoogleAnalyticsAdapter`.
public protocol GoogleAnalyticsAdapter {
    /// Passes an event to Google Analytics.
    ///
    /// - Parameters:
    ///   - event: The event's name, as the service spells it.
    ///   - properties: The event's properties, as the service spells them. Each value is a `String`, an `Int`, a
    ///     `Double`, an array or a dictionary of these.
    func trackEvent(with event: String, properties: [String: Any])
}
