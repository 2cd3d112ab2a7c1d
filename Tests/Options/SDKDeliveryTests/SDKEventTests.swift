import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@testable import SDKDelivery

@Suite struct SDKEventTests {
    @Test(arguments: [
        SDKEvent(id: .stub(), name: "", time: Timestamp(microseconds: .min)),
        SDKEvent(
            id: .stub(7),
            name: "a\"b\n",
            time: Timestamp(microseconds: .max),
            userID: "",
            parameters: ["id": "x", "parameters": ["user": 1, "time": .double(-0.0)]]
        ),
    ])
    func `an event is read as it was written`(event: SDKEvent) {
        var json = JSONWriter()

        event.write(into: &json)

        #expect(SDKEvent(stored: json.bytes[...]) == event)
    }

    @Test(arguments: ["", "{}", #"{"id":"x"}"#, #"{"id":7,"name":"e","time":"1","parameters":{}}"#, "[]", "null"])
    func `anything else is no event`(text: String) {
        #expect(SDKEvent(stored: Array(text.utf8)[...]) == nil)
    }
}
