import CoreTracker
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import Foundation
import LoopbackCollector
import Testing

@Suite struct UserPropertiesTests {
    @Test(arguments: [(24, 36, [:]), (25, 36, ["key_too_long": 1]), (24, 37, ["value_too_long": 1])])
    func `a name has at most 24 characters and a value 36`(
        name: Int,
        value: Int,
        adjustments: [String: Int]
    ) throws {
        let key = ParameterKey(String(repeating: "k", count: name))
        let update = OutgoingEvent.traits([key: .string(String(repeating: "ü", count: value)), "plan": "gold"])

        let encoded = try FirebaseDestination.stub().encoded(update)

        #expect(encoded.adjustments == adjustments)
        #expect(encoded.fragment.contains(key.name) == (name == 24))
        #expect(!encoded.fragment.contains(String(repeating: "ü", count: 37)))
        #expect(try messages(on: update).isEmpty)
    }

    @Test(arguments: [(24, 0), (25, 0), (26, 1), (40, 15)])
    func `an update has at most 25 properties`(count: Int, surplus: Int) throws {
        let traits = EventParameters((0..<count).map { (ParameterKey("p\($0)"), .int($0)) })

        let encoded = try FirebaseDestination.stub().encoded(.traits(traits))

        #expect(encoded.adjustments == (surplus == 0 ? [:] : ["too_many_parameters": surplus]))
        #expect(encoded.fragment.matches(of: /"p\d+":\{"value"/).count == count - surplus)
        #expect(try messages(on: .traits(traits)).isEmpty)
    }

    @Test(
        arguments: [
            "user_id", "first_open_time", "first_visit_time", "last_deep_link_referrer", "first_open_after_install",
            "ga_plan", "google_plan", "firebase_plan", "_plan", "1plan", "größe", "",
        ]
    )
    func `reserved and invalid names are left out and counted`(name: String) throws {
        let update = OutgoingEvent.traits([ParameterKey(name): "x", "plan": "gold"])

        let encoded = try FirebaseDestination.stub().encoded(update)

        #expect(encoded.fragment.hasPrefix(#""user_properties":{"plan":{"#))
        #expect(encoded.adjustments.values.reduce(0, +) == 1)
        #expect(try messages(on: update).isEmpty)
    }

    @Test(arguments: [false, true]) func `a removed trait is a property without a value`(isAlone: Bool) throws {
        var update = OutgoingEvent.traits(isAlone ? [:] : ["plan": "gold"], time: Timestamp(microseconds: 5))
        update.removedTraits = ["phone", "ga_x"]

        let encoded = try FirebaseDestination.stub().encoded(update)

        let set = isAlone ? "" : #""plan":{"value":"gold","timestamp_micros":5},"#
        let removed = #""phone":{"value":null,"timestamp_micros":5}"#
        #expect(encoded.fragment.hasPrefix(#""user_properties":{"# + set + removed + "},"))
        #expect(encoded.adjustments == ["key_reserved": 1])
        update.time = .now
        #expect(try messages(on: update).isEmpty)
    }

    @Test func `removed traits count towards the maximum`() throws {
        var update = OutgoingEvent.traits(EventParameters((0..<20).map { (ParameterKey("p\($0)"), .int($0)) }))
        update.removedTraits = (0..<7).map { ParameterKey("r\($0)") }

        let encoded = try FirebaseDestination.stub().encoded(update)

        #expect(encoded.fragment.matches(of: /"r\d":\{"value":null/).count == 5)
        #expect(encoded.adjustments == ["too_many_parameters": 2])
        #expect(try messages(on: update).isEmpty)
    }

    @Test func `an update without any valid trait is refused`() throws {
        let destination = try FirebaseDestination.stub()

        for traits: EventParameters in [["user_id": "u"], ["list": [1]], ["number": .double(.nan)], [:]] {
            #expect(throws: EventEncodingError(rule: "traits_empty")) { try destination.encoded(.traits(traits)) }
        }
    }

    @Test func `operations are left out, and an update of nothing else is refused`() throws {
        let destination = try FirebaseDestination.stub()
        let operations: EventParameters = [
            "a": ["$setOnce": 1], "b": ["$increment": 1], "c": ["$append": [1]], "d": ["$remove": [1]],
        ]

        let encoded = try destination.encoded(.traits(operations.merging(["plan": "gold"])))

        #expect(encoded.fragment.contains(#""user_properties":{"plan":"#))
        #expect(encoded.adjustments == ["operation_not_supported": 4])
        #expect(throws: EventEncodingError(rule: "operation_not_supported")) {
            try destination.encoded(.traits(operations))
        }
    }

    @Test func `each update is a request of its own, and shares none with events`() throws {
        let destination = try FirebaseDestination.stub()
        let identity = Identity.stub(userID: "traits:\u{1}\"u")
        let event = OutgoingEvent.stub(identity: identity)
        let updates = [1, 2].map { OutgoingEvent.traits(["plan": "gold"], id: .stub($0), identity: identity) }

        let keys = ([event] + updates).map(destination.batchKey)
        let bodies = try ([event] + updates).map { try destination.request(carrying: [$0]).body }

        #expect(Set(keys).count == 3)
        for body in bodies {
            let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
            #expect(object?["user_id"] as? String == "traits:\u{1}\"u")
            #expect((object?["events"] as? [Any])?.count == 1)
        }
        #expect(destination.updates == [.traits])
    }

    /// Returns the messages of the validation server about an update.
    private func messages(on update: OutgoingEvent) throws -> [ValidationMessage] {
        MeasurementProtocolValidation.messages(
            on: try FirebaseDestination.stub().request(carrying: [update]).body
        )
    }
}

extension OutgoingEvent {
    /// Returns an update of traits.
    fileprivate static func traits(
        _ traits: EventParameters,
        id: EventID = .stub(),
        time: Timestamp = .now,
        identity: Identity = .stub()
    ) -> OutgoingEvent {
        .stub(
            id: id,
            name: ProfileUpdate.traits.rawValue,
            parameters: traits,
            time: time,
            identity: identity,
            update: .traits
        )
    }
}
