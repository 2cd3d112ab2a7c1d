import CoreTracker
import DLTracker
import EventDelivery

extension ShopEvent {
    /// An identity for events outside an engine.
    static let identity = Identity(
        deviceID: "0123456789abcdef0123456789abcdef",
        sessionID: "01920000-0000-7000-8000-000000000001",
        sessionStart: Timestamp(microseconds: 1_790_000_000_000_000)
    )

    /// A time for events outside an engine.
    static let moment = Timestamp(microseconds: 1_790_000_001_234_567)

    /// Returns the event for the destination of its first or second service.
    func outgoing(_ index: Int) -> OutgoingEvent {
        let event = services[index].event
        return OutgoingEvent(
            id: EventID(high: 0x0192_0000_0000_7000, low: 0x8000_0000_0000_0001),
            name: event.name,
            parameters: event.parameters,
            defaults: index == 0 ? [:] : DLSettings().awesomeTrackingDefaults,
            time: ShopEvent.moment,
            identity: ShopEvent.identity,
            sequence: 1
        )
    }
}
