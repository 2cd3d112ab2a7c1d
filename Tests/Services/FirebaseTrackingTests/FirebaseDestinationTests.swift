import CoreTracker
import EventDelivery
import Foundation
import Testing
import VendorRules

@testable import FirebaseTracking

@Suite struct FirebaseDestinationTests {
    private static let batch = OutgoingBatch(
        id: .stub(99),
        key: Identity.stub().deviceID,
        events: [.init(id: .stub(), fragment: [0x7B, 0x7D])]
    )

    @Test func `it is the destination of its product's lane`() throws {
        let destination = try FirebaseDestination.stub()

        #expect(destination.lane == LaneID(product: "DL", service: "firebase"))
        #expect(destination.purpose == .analytics)
    }

    @Test func `the credentials are in the query, percent-encoded`() throws {
        let destination = try FirebaseDestination.stub(.stub(apiSecret: "a+b&c=d/%"))

        let request = destination.request(for: Self.batch)

        #expect(
            request.url.absoluteString
                == "https://collector.example/mp/collect?firebase_app_id=1:1234567890:ios:0a1b2c3d4e5f6789"
                + "&api_secret=a%2Bb%26c%3Dd%2F%25"
        )
        #expect(request.method == "POST")
        #expect(request.headers.map(\.name) == ["Content-Type"])
        #expect(request.headers.map(\.value) == ["application/json"])
        #expect(!request.allowsGzip)
    }

    @Test(arguments: [(255, true), (256, true), (257, false)])
    func `a user's id has at most 256 characters`(length: Int, isSent: Bool) throws {
        let user = String(repeating: "u", count: length)
        let event = OutgoingEvent.stub(identity: .stub(userID: user))
        let destination = try FirebaseDestination.stub()

        let body = String(decoding: try destination.request(carrying: [event]).body, as: UTF8.self)

        #expect(body.contains(#""user_id":"\#(user)""#) == isSent)
        #expect(try destination.encoded(event).adjustments == (isSent ? [:] : ["user_id_too_long": 1]))
    }

    @Test(arguments: ["", nil])
    func `the body has no user if there is none`(user: String?) throws {
        let event = OutgoingEvent.stub(identity: .stub(userID: user))

        let request = try FirebaseDestination.stub().request(carrying: [event])

        let start = #"{"app_instance_id":"0f1e2d3c4b5a69788796a5b4c3d2e1f0","events":[{"#
        #expect(String(decoding: request.body, as: UTF8.self).hasPrefix(start))
    }

    @Test func `an event without a device is refused`() throws {
        let event = OutgoingEvent.stub(identity: .stub(deviceID: ""))

        let violated = try FirebaseDestination.stub().violatedRule(by: event)

        #expect(violated == "app_instance_id_invalid")
    }

    @Test(arguments: [
        ("0F1E2D3C4B5A69788796A5B4C3D2E1F0", "0F1E2D3C4B5A69788796A5B4C3D2E1F0"),
        ("8B5CF1F6-6a4e-4d0c-9a5e-2f1d7c3b9e10", "8b5cf1f66a4e4d0c9a5e2f1d7c3b9e10"),
        ("$device:18f2c9d0ab", "9560df3c48e38967db11cdbe35dff6e0"),
        ("0f1e2d3c4b5a69788796a5b4c3d2e1fg", ""), ("0f1e2d3c4b5a69788796a5b4c3d2e1f00", ""), ("é", ""),
    ]) func `the app instance is the device's 32 digits, the digits of its UUID, or a hash`(
        device: String,
        instance: String
    ) throws {
        let event = OutgoingEvent.stub(identity: .stub(deviceID: device))
        let destination = try FirebaseDestination.stub()

        let body = String(decoding: try destination.request(carrying: [event]).body, as: UTF8.self)

        let found = try #require(body.firstMatch(of: /^\{"app_instance_id":"([0-9a-fA-F]{32})","events"/)?.1)
        #expect(instance.isEmpty ? found != device : found == instance)
        #expect(destination.batchKey(of: event) == found)
    }

    @Test func `a fixed app instance replaces the device`() throws {
        let fixed = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
        let destination = try FirebaseDestination.stub(.stub(appInstanceID: fixed))
        let event = OutgoingEvent.stub(identity: .stub(deviceID: "device", userID: "u"))

        let request = try destination.request(carrying: [event])

        let start = #"{"app_instance_id":"\#(fixed)","user_id":"u","events":["#
        #expect(String(decoding: request.body, as: UTF8.self).hasPrefix(start))
    }

    @Test func `events of another user or device have another batch key`() throws {
        let destination = try FirebaseDestination.stub()
        let identities: [Identity] = [
            .stub(), .stub(userID: "a"), .stub(userID: "b"), .stub(deviceID: "ffffffffffffffffffffffffffffffff"),
        ]

        let keys = Set(identities.map { destination.batchKey(of: .stub(identity: $0)) })

        #expect(keys.count == 4)
        #expect(destination.batchKey(of: .stub(identity: .stub(userID: "", sessionID: "x"))) == identities[0].deviceID)
    }

    @Test func `the largest body is smaller than 130 000 bytes`() throws {
        let limits = try FirebaseDestination.stub().limits
        let user = String(repeating: "\u{1}", count: 256)
        let key = Identity.stub().deviceID + user
        let room = limits.bodyBytes - limits.framingBytes
        let fragments = (0..<25).map { index in
            OutgoingBatch.Event(id: .stub(), fragment: Array(repeating: 0x20, count: index == 0 ? room - 24 : 1)[...])
        }

        let request = try FirebaseDestination.stub()
            .request(for: OutgoingBatch(id: .stub(99), key: key, events: fragments))

        #expect(limits.events == 25)
        #expect(request.body.count < 130_000)
        #expect(limits.eventBytes <= room)
    }

    @Test(arguments: ["", "short", "0f1e2d3c4b5a69788796a5b4c3d2e1f0\u{301}user", "é"])
    func `an unusual batch key still produces a body of JSON`(key: String) throws {
        let batch = OutgoingBatch(id: .stub(), key: key, events: Self.batch.events)

        let request = try FirebaseDestination.stub().request(for: batch)

        let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
        #expect(body?["events"] is [Any])
    }

    @Test func `a request has the device that the app states`() throws {
        let configuration = try FirebaseConfiguration(
            firebaseAppID: "1:1:ios:1",
            apiSecret: "s",
            device: ["category": "mobile", "operating_system": "iOS"]
        )
        let request = FirebaseDestination(product: "DL", configuration: configuration)
            .request(for: FirebaseDestinationTests.batch)

        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.contains(#","device":{"category":"mobile","operating_system":"iOS"},"events":["#))
    }

    @Test(
        arguments: [
            ["color": "red"], ["category": 1], ["model": .string(String(repeating: "m", count: 101))],
            ["model": .string(String(repeating: "\"", count: 51))],
        ] as [EventParameters]
    )
    func `a device that Google does not know is refused`(device: EventParameters) {
        #expect(throws: ConfigurationError.self) {
            try FirebaseConfiguration(firebaseAppID: "1:1:ios:1", apiSecret: "s", device: device)
        }
    }

    @Test func `a name that only a relay's rules allow is escaped`() throws {
        let destination = try FirebaseDestination.stub(.stub(rules: .permissive))

        #expect(try destination.encoded(.stub(name: #"say "hi""#)).text.hasPrefix(#"{"name":"say \"hi\"","#))
    }

    @Test(arguments: 100...599)
    func `the table has a meaning for every status`(status: Int) throws {
        let result = try FirebaseDestination.stub()
            .result(for: HTTPResponse(status: status), of: Self.batch)

        let expected: BatchResult =
            switch status {
            case 200...299: .delivered
            case 401, 403, 407: .paused(.credentials)
            case 404, 405, 410, 414, 421: .paused(.endpoint)
            case 415, 431, 501, 505, 506, 508, 510: .paused(.protocolMismatch)
            case 413: .tooLarge
            case 408, 409, 425, 429, 499: .retry(after: nil)
            case 400...499: .suspect("status \(status)")
            case 511, 100...399: .paused(.intercepted)
            default: .retry(after: nil)
            }
        #expect(result == expected)
    }

    @Test(arguments: [("", BatchResult.delivered), (" \n", .delivered), ("<p>Sign in", .paused(.intercepted))])
    func `only an HTML body that is not blank is a page`(body: String, result: BatchResult) throws {
        let headers = ["Content-Type": "Text/HTML; charset=utf-8"]
        let response = HTTPResponse(status: 200, headers: headers, body: Array(body.utf8))

        #expect(try FirebaseDestination.stub().result(for: response, of: Self.batch) == result)
    }
}
