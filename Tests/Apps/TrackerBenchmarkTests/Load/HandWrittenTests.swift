import AwesomeTracking
import EventDelivery
import FirebaseTracking
import Testing

@testable import TrackerBenchmark

@Suite struct HandWrittenTests {
    @Test func `the floor writes the bytes that the destination for Firebase writes`() throws {
        let event = ShopEvent(number: 7)
        let outgoing = event.outgoing(0)
        var encoder = EventEncoder()
        var bodies = HandWritten(outgoing.identity)

        try LiveEngine.firebase(now: { ShopEvent.moment }).encode(outgoing, into: &encoder)
        bodies.appendFirebase(event, id: outgoing.id, time: outgoing.time)

        #expect(String(decoding: bodies.bytes, as: UTF8.self) == String(decoding: encoder.bytes, as: UTF8.self))
    }

    @Test func `the floor writes the bytes that the destination for AwesomeTracking writes`() throws {
        let event = ShopEvent(number: 7)
        let outgoing = event.outgoing(1)
        var encoder = EventEncoder()
        var bodies = HandWritten(outgoing.identity)

        try LiveEngine.awesomeTracking().encode(outgoing, into: &encoder)
        bodies.appendAwesomeTracking(event, id: outgoing.id, time: outgoing.time, sequence: 1)

        #expect(String(decoding: bodies.bytes, as: UTF8.self) == String(decoding: encoder.bytes, as: UTF8.self))
    }
}
