/// A service that prints one line for each event and sends nothing.
///
/// It is for first experiments without a network. A line contains the service, the event and its parameters, such as
/// `firebase view_item ["item_id": "7"]`. Sensitive values are redacted. An event that no service gets is a line such
/// as `vendor braze: no vendor service`.
///
/// ```swift
/// let lines = Mutex<[String]>([])
/// let service = PrintingService { line in lines.withLock { $0.append(line) } }
/// ```
public struct PrintingService: FirebaseService, AwesomeTrackingService, VendorService, LossLedger {
    private let write: @Sendable (String) -> Void

    /// Creates a service.
    ///
    /// - Parameter write: Receives each line, on the thread that tracks the event.
    public init(write: @escaping @Sendable (String) -> Void = { print($0) }) {
        self.write = write
    }

    public func track(_ event: FirebaseEvent) { write(EventService.firebase(event).description) }
    public func track(_ event: AwesomeTrackingEvent) { write(EventService.awesomeTracking(event).description) }
    public func track(_ event: VendorEvent) { write(EventService.vendor(event).description) }
    public func record(_ loss: TrackingLoss) { write(loss.description) }
}
