import BrazeTracker
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import ProfileUpdates
import Testing

@Suite struct BrazeProfileDestinationTests {
    private static let user = Identity.stub(userID: "u-8841")
    private static let installation = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

    @Test func `traits of a user and of an installation have the golden body`() throws {
        var changed = OutgoingEvent.traits([
            "plan": "gold", "newsletter": true, "orders": 12, "email": "a@example.com", "sizes": ["M", "L"],
            "address": ["city": "\"Łódź\"},{"],
        ])
        changed.removedTraits = ["phone"]

        let request = try destination().request(carrying: [changed, .traits(["plan": "free"], identity: .stub())])

        #expect(String(decoding: request.body, as: UTF8.self) == (try Fixture.text("attributes.json")))
        #expect(request.url.absoluteString == "https://rest.fra-01.braze.eu/users/track")
        #expect(request.headers.contains(try HTTPHeader("Authorization", "Bearer se-cret")))
    }

    @Test func `aliases have the golden body and the address for them`() throws {
        let request = try destination().request(carrying: [
            .alias(from: Self.installation), .alias(from: "a\"},{", identity: .stub(userID: "u\"9")),
        ])

        #expect(String(decoding: request.body, as: UTF8.self) == (try Fixture.text("aliases.json")))
        #expect(request.url.absoluteString == "https://rest.fra-01.braze.eu/users/identify")
        #expect(request.headers.contains(try HTTPHeader("Authorization", "Bearer se-cret")))
    }

    @Test(
        arguments: [
            ("https://rest.fra-01.braze.eu", "https://rest.fra-01.braze.eu/users/identify"),
            ("https://relay.example/b/users/track?k=1", "https://relay.example/b/users/identify?k=1"),
            ("https://relay.example/braze", nil),
        ]
    )
    func `a relay's address for aliases follows from that for attributes`(endpoint: String, address: String?) throws {
        let destination = try destination(endpoint)

        let request = try destination.request(carrying: [.alias(from: "a")])

        #expect(destination.updates == (address == nil ? [.traits] : [.traits, .alias]))
        if let address { #expect(request.url.absoluteString == address) }
    }

    @Test func `updates keep their order, and attributes share no request with aliases`() throws {
        let destination = try destination()

        #expect(destination.order == .session)
        #expect(destination.limits.events == 50)
        #expect(destination.batchKey(of: .traits([:])) != destination.batchKey(of: .alias(from: "a")))
        #expect(destination.batchKey(of: .traits([:])) == destination.batchKey(of: .traits([:], identity: .stub())))
        #expect(destination.purpose == .marketing)
        #expect(destination.lane == .brazeProfiles(product: "DL"))
    }

    @Test(arguments: ["external_id", "user_alias", "braze_id", "_update_existing_only", "push_token_import", "$x", ""])
    func `a trait cannot name another user`(key: String) throws {
        let encoded = try destination().encoded(.traits([ParameterKey(key): "x", "plan": "gold"]))

        #expect(encoded.fragment == #"{"external_id":"u-8841","plan":"gold"}"#)
        #expect(encoded.adjustments.values.reduce(0, +) == 1)
    }

    @Test(arguments: [(255, 0), (256, 1)])
    func `a text has at most 255 characters`(length: Int, adjustments: Int) throws {
        let text = String(repeating: "x", count: length)

        let encoded = try destination().encoded(.traits(["note": .string(text)]))

        #expect(encoded.adjustments == (adjustments == 0 ? [:] : ["value_too_long": adjustments]))
        #expect(encoded.fragment.contains("\"note\":\"\(text.prefix(255))\""))
    }

    @Test(arguments: [(159, "ab", true), (159, "abc", false), (160, "", false)])
    func `the name of a trait has at most 479 bytes`(signs: Int, end: String, isTaken: Bool) throws {
        let name = ParameterKey(String(repeating: "€", count: signs) + end)
        var removal = OutgoingEvent.traits(["plan": "gold"])
        removal.removedTraits = [name]

        let encoded = try [.traits([name: 1, "plan": "gold"]), removal].map { try destination().encoded($0) }

        #expect(encoded.map { $0.fragment.contains("€") } == [isTaken, isTaken])
        #expect(encoded.allSatisfy { $0.adjustments == (isTaken ? [:] : ["key_too_long": 1]) })
    }

    @Test func `a nested key has no space, period or dollar sign`() throws {
        let address: ParameterValue = ["zip code": "34000", "geo.lat": 41.0, "a$": 1, "city": "İzmir"]

        let encoded = try destination().encoded(.traits(["address": address, "first name": "A"]))

        #expect(encoded.fragment.contains(#""address":{"city":"İzmir"},"first name":"A""#), "\(encoded.fragment)")
        #expect(encoded.adjustments == ["key_invalid": 3])
    }

    @Test(arguments: [(500, 0), (501, 1)])
    func `a list has at most 500 elements`(count: Int, adjustments: Int) throws {
        let list = ParameterValue.array((0..<count).map { .int($0) })

        let encoded = try destination().encoded(.traits(["list": list]))

        #expect(encoded.adjustments == (adjustments == 0 ? [:] : ["too_many_elements": adjustments]))
        #expect(encoded.fragment.contains(",498,499]"))
    }

    @Test func `operations on a list are those of Braze, and those that count twice or do not exist are left out`()
        throws
    {
        let traits: EventParameters = [
            "plan": "gold", "tags": .append("vip", "\(String(repeating: "x", count: 300))"), "cities": .remove("Łódź"),
            "orders": .increment(by: 2), "first": .setOnce("web"), "size": ["$append": ["M"], "n": 1],
        ]

        let encoded = try destination().encoded(.traits(traits))

        let cut = String(repeating: "x", count: 255)
        let lists = #""tags":{"add":["vip","\#(cut)"]},"cities":{"remove":["Łódź"]}"#
        #expect(encoded.fragment == #"{"external_id":"u-8841","plan":"gold","# + lists + #","size":{"n":1}}"#)
        #expect(encoded.adjustments == ["operation_not_supported": 2, "value_too_long": 1, "key_invalid": 1])
    }

    @Test func `what Braze cannot apply is refused`() throws {
        let destination = try destination()
        let large = ParameterValue.array(
            ParameterList((0..<1_000).map { _ in .string(String(repeating: "x", count: 200)) })
        )
        let longID = String(repeating: "u", count: 998)
        let cases: [(OutgoingEvent, String)] = [
            (.stub(), "update_not_supported"),
            (.stub(identity: Self.user, update: .group), "update_not_supported"),
            (.traits(["plan": "gold"], identity: .stub(deviceID: "", userID: "")), "identity_missing"),
            (.traits(["plan": "gold"], identity: .stub(userID: longID)), "user_id_too_long"),
            (.alias(from: "a", identity: .stub(userID: longID)), "user_id_too_long"),
            (.alias(from: "a", identity: .stub()), "identity_missing"),
            (.alias(from: ""), "identity_missing"),
            (.alias(from: String(repeating: "a", count: 230)), "alias_too_long"),
            (.traits(["$plan": "gold"]), "traits_empty"),
            (.traits(["orders": .increment()]), "operation_not_supported"),
            (.traits(["list": large]), "traits_too_large"),
        ]

        for (event, rule) in cases {
            #expect(throws: EventEncodingError(rule: rule)) { try destination.encoded(event) }
        }
    }

    @Test(arguments: [false, true]) func `a removed trait is null`(isAlone: Bool) throws {
        var update = OutgoingEvent.traits(isAlone ? [:] : ["plan": "gold"])
        update.removedTraits = ["phone", "$x"]

        let encoded = try destination().encoded(update)

        let set = isAlone ? "" : #""plan":"gold","#
        #expect(encoded.fragment == #"{"external_id":"u-8841","# + set + #""phone":null}"#)
        #expect(encoded.adjustments == ["key_reserved": 1])
    }

    @Test(arguments: [("attributes", false), ("aliases_to_identify", true)])
    func `only the named updates are refused`(array: String, isAlias: Bool) throws {
        let destination = try destination()
        let update: OutgoingEvent = isAlias ? .alias(from: "a") : .traits(["plan": "gold"])
        let batch = try destination.batch(of: [update, update, update])
        let body =
            #"{"errors":[{"type":"bad","input_array":"\#(array)","index":1},{"input_array":"events","index":0}]}"#

        let result = destination.result(for: HTTPResponse(status: 201, body: Array(body.utf8)), of: batch)

        #expect(result == .partial([1: .refused("bad")]))
    }

    private func destination(_ endpoint: String = "https://rest.fra-01.braze.eu") throws -> BrazeProfileDestination {
        let configuration = try BrazeConfiguration(endpoint: Endpoint(endpoint), apiKey: "se-cret")
        return BrazeProfileDestination(product: "DL", configuration: configuration)
    }
}

extension OutgoingEvent {
    /// Returns an update of traits.
    fileprivate static func traits(
        _ traits: EventParameters,
        identity: Identity = .stub(userID: "u-8841")
    ) -> OutgoingEvent {
        .stub(name: ProfileUpdate.traits.rawValue, parameters: traits, identity: identity, update: .traits)
    }

    /// Returns an alias.
    fileprivate static func alias(
        from previous: String,
        identity: Identity = .stub(userID: "u-8841")
    ) -> OutgoingEvent {
        .stub(
            name: ProfileUpdate.alias.rawValue,
            parameters: ["previous_id": .string(previous)],
            identity: identity,
            update: .alias
        )
    }
}
