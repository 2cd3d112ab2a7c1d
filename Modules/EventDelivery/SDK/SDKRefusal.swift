/// Why an SDK was not handed an event.
public enum SDKRefusal: Error, Sendable, Hashable {
    /// The SDK cannot take events yet, for example because the app has not configured it: the event is kept, and tried
    /// again with the ones behind it, in order.
    case notReady
    /// The event itself is at fault: it goes to quarantine for the given reason, and the ones behind it go on.
    case invalidEvent(String)
}
