public import BrazeTracker
public import CoreTracker
import EventDelivery
public import EventDeliveryTesting
import MultiTracker
public import SDKDelivery
import Testing

@Suite(.timeLimit(.minutes(5))) struct BrazeSDKDestinationTests {
    private let adapter = MockSDKAdapter()
    private let engine = DeliveryEngine(clock: TestClock())
    private let store = TrackerStore()

    init() {
        store.register(BrazeTracker(product: "DL", on: engine))
    }

    @Test func `the tracker's calls reach the SDK with their user, IDs and times`() async throws {
        try await open()

        engine.user.identify("u-1")
        Tracker(trackerStore: store).trackTap(on: "buy", fromView: "detail")
        engine.user.clear()
        Tracker(trackerStore: store).trackPlay()
        _ = await engine.flush(timeout: .seconds(5))

        let properties = try #require(adapter.events.first).parameters
        #expect(adapter.events.map(\.name) == ["element_tap", "play_start"])
        #expect(adapter.users == ["u-1", nil])
        #expect(properties["element"] == "buy" && properties["from_view"] == "detail")
        #expect(properties["event_time"] == "2026-03-01T10:00:00.000Z" && properties["event_uid"] != nil)
        #expect(properties.count == 4)
    }

    @Test func `without the marketing purpose the SDK gets nothing`() async throws {
        try await open()

        try await engine.setConsent(.denied, for: .marketing)
        engine.lane(.braze(product: "DL")).track("e", parameters: [:])
        _ = await engine.flush(timeout: .seconds(5))

        adapter.expect([])
        #expect(try #require(await engine.statistics().first).ledger.dropped == [.consentDenied: 1])
    }

    @Test(arguments: [(254, 0), (255, 1)])
    func `two of 256 properties are the event's id and time`(count: Int, adjustments: Int) throws {
        let encoded = try BrazeSDKDestination(product: "DL", adapter: adapter)
            .encoded(.stub(parameters: .numbered(count)))

        #expect(encoded.adjustments == (adjustments == 0 ? [:] : ["too_many_parameters": adjustments]))
    }

    @Test(arguments: [(-1, true), (0, true), (1, false)])
    func `properties have at most 50 KB`(surplus: Int, isTaken: Bool) throws {
        let empty =
            #"{"l":[],"event_uid":"01950000-0000-7000-8000-000000000001","event_time":"2026-03-01T10:00:01.250Z"}"#
        var room = 51_200 - empty.utf8.count + surplus
        var texts: [ParameterValue] = []
        while room > 300 {
            texts.append(.string(String(repeating: "x", count: 197)))
            room -= 200
        }
        texts.append(.string(String(repeating: "x", count: room - 2)))
        let event = OutgoingEvent.stub(parameters: ["l": .array(ParameterList(texts))])

        #expect(rule(brokenBy: event) == (isTaken ? nil : "properties_too_large"))
    }

    @Test(arguments: [(987, nil), (988, "user_id_too_long")])
    func `an event of a user with a longer id than Braze allows is refused`(length: Int, broken: String?) {
        let identity = Identity.stub(userID: String(repeating: "u", count: length))

        #expect(rule(brokenBy: .stub(identity: identity)) == broken)
    }

    @Test func `an event with a schema of Braze carries its id and time in its metadata`() async throws {
        let destination = BrazeSDKDestination(product: "DL", adapter: adapter)
        let tracker = engine.lane(destination.lane)
        try await open()

        tracker.track("ecommerce.cart_updated", parameters: ["cart_id": "c-1"], defaults: ["screen": "basket"])
        _ = await engine.flush(timeout: .seconds(5))

        let properties = try #require(adapter.events.first).parameters
        #expect(Set(properties.map(\.key.name)) == ["cart_id", "metadata"])
        guard case .object(let metadata)? = properties["metadata"] else { throw Missing() }
        #expect(Set(metadata.map(\.key.name)) == ["screen", "event_uid", "event_time"])
    }

    private struct Missing: Error {}

    private func rule(brokenBy event: OutgoingEvent) -> String? {
        do throws(EventEncodingError) {
            _ = try BrazeSDKDestination(product: "DL", adapter: adapter).encoded(event)
            return nil
        } catch {
            return error.rule
        }
    }

    private func open() async throws {
        let braze = BrazeSDKDestination(product: "DL", adapter: adapter)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [braze], transport: ScriptedTransport())
        )
    }
}

extension MockSDKAdapter: BrazeSDKAdapter {
    public func logCustomEvent(_ name: String, properties: EventParameters, userID: String?) throws(SDKError) {
        try record(Event(name, properties), userID: userID)
    }
}
