import EventDelivery
import Foundation

/// The floor of encoding: the bodies of a `ShopEvent`, written by hand for this one shape.
///
/// A test compares the bytes with those of the destinations. The code checks, escapes and looks up nothing that is
/// known about this event.
struct HandWritten {
    private let device: String
    private let session: String
    private let sessionStart: Int64
    /// The bytes of all bodies so far.
    private(set) var bytes: [UInt8] = []

    /// Creates an encoder for an identity.
    init(_ identity: Identity) {
        device = identity.deviceID
        session = identity.sessionID
        sessionStart = identity.sessionStart.seconds
    }

    /// Empties the buffer and keeps its memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends the body for Firebase.
    mutating func appendFirebase(_ event: ShopEvent, id: EventID, time: Timestamp) {
        append(#"{"name":"view_item","timestamp_micros":"#)
        append(time.microseconds)
        append(#","params":{"event_id":""#)
        id.write(to: &bytes)
        append(#"","item_id":""#)
        append(text: event.productID)
        append(#"","item_name":""#)
        append(text: event.name)
        append(#"","item_category":""#)
        append(text: event.category)
        append(#"","item_list_id":""#)
        append(text: event.listID)
        append(#"","price":"#)
        append(text: event.price.description)
        append(#","quantity":"#)
        append(Int64(event.quantity))
        append(#","index":"#)
        append(Int64(event.position))
        append(event.isOnSale ? #","on_sale":1,"session_id":"# : #","on_sale":0,"session_id":"#)
        append(sessionStart)
        append(#","app_session":""#)
        append(text: session)
        append(#"","engagement_time_msec":1}}"#)
    }

    /// Appends the body for AwesomeTracking.
    mutating func appendAwesomeTracking(_ event: ShopEvent, id: EventID, time: Timestamp, sequence: Int64) {
        append(#"{"event_id":""#)
        id.write(to: &bytes)
        append(#"","name":"product_viewed","ts_ms":"#)
        append(time.milliseconds)
        append(#","seq":"#)
        append(sequence)
        append(#","session_id":""#)
        append(text: session)
        append(#"","device_id":""#)
        append(text: device)
        append(#"","user_id":"","product":"DL","app_version":"1.0.0","schema":1,"props":"{\"item_id\":\""#)
        append(text: event.productID)
        append(#"\",\"item_name\":\""#)
        append(text: event.name)
        append(#"\",\"item_category\":\""#)
        append(text: event.category)
        append(#"\",\"item_list_id\":\""#)
        append(text: event.listID)
        append(#"\",\"price\":"#)
        append(text: event.price.description)
        append(#",\"quantity\":"#)
        append(Int64(event.quantity))
        append(#",\"index\":"#)
        append(Int64(event.position))
        append(event.isOnSale ? #",\"on_sale\":true"# : #",\"on_sale\":false"#)
        append(#",\"channel\":\"dolap_lite\",\"product_id\":\"DL\",\"storefront\":\"TR\",\"currency\":\"TRY\""#)
        append(#",\"language\":\"tr\",\"platform\":\"linux\"}"}"#)
    }

    /// Appends a line feed.
    mutating func appendLineFeed() {
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func append(text: String) {
        var text = text
        text.withUTF8 { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ value: Int64) {
        append(text: String(value))
    }
}
