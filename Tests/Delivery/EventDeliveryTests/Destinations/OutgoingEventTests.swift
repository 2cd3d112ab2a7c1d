import CoreTracker
import EventDelivery
import Testing

@Suite struct OutgoingEventTests {
    @Test(
        arguments: [
            ([:], [:]), (["a": 1], [:]), ([:], ["a": 1]), (["a": 1, "b": 2], ["b": 3, "c": 4]),
            (["a": 1, "e\u{301}": 2], ["é": 3, "a": 4]),
        ] as [(EventParameters, EventParameters)]
    )
    func `visiting the parameters visits each merged parameter once`(
        own: EventParameters,
        defaults: EventParameters
    ) {
        let event = OutgoingEvent(
            id: EventID(high: 0, low: 0),
            name: "event",
            parameters: own,
            defaults: defaults,
            time: Timestamp(microseconds: 0),
            identity: Identity(deviceID: "", sessionID: "", sessionStart: Timestamp(microseconds: 0)),
            sequence: 1
        )
        var visited: [EventParameters.Element] = []

        event.forEachParameter { visited.append($0) }

        #expect(visited.count == event.mergedParameters.count)
        #expect(visited.allSatisfy { event.mergedParameters[$0.key] == $0.value })
    }
}
