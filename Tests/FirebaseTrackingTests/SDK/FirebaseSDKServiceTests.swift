import AdapterTesting
import CoreTracker
import CoreTrackerTesting
import EventDelivery
import FirebaseTracking
import Testing

@Suite struct FirebaseSDKServiceTests {
    @Test func `events reach the SDK in order, over the defaults of their moment`() async {
        let adapter = MockFirebaseSDKAdapter()
        let service = FirebaseSDKService(adapter: adapter) { ["channel": "app", "currency": "TRY"] }

        for number in 0..<100 {
            service.track(FirebaseEvent(name: "view_item", parameters: ["currency": "EUR", "n": .int(number)]))
        }
        await service.close()

        #expect(adapter.events.map { $0.parameters["n"] } == (0..<100).map { .int($0) })
        #expect(adapter.events[0].parameters == ["channel": "app", "currency": "EUR", "n": 0])
        #expect(service.statistics.logged == 100)
    }

    @Test(
        arguments: [
            ("", "name_empty"), ("first_open", "name_reserved"), ("firebase_x", "name_reserved"),
            ("a b", "name_invalid"), (String(repeating: "n", count: 41), "name_too_long"),
        ]
    )
    func `an event that the SDK would drop is refused and counted`(name: String, rule: String) async {
        let adapter = MockFirebaseSDKAdapter()
        let service = FirebaseSDKService(adapter: adapter)

        service.track(FirebaseEvent(name: name))
        await service.close()

        #expect(adapter.events.isEmpty)
        #expect(service.statistics.refused == [rule: 1])
    }

    @Test func `a sensitive value reaches the SDK as its policy says`() async {
        let adapter = MockFirebaseSDKAdapter()
        let service = FirebaseSDKService(adapter: adapter)
        let parameters = EventParameters.sensitive(Sensitive(34), as: "age", .pass(.analytics))
            .merging(.sensitive(Sensitive("ali@example.com"), as: "mail", .hash))

        service.track(FirebaseEvent(name: "sign_up", parameters: parameters))
        await service.close()

        #expect(adapter.events.map(\.parameters) == [["age": 34]])
        #expect(service.statistics.repaired == ["sensitive_salt_missing": 1])
    }

    @Test(arguments: FirebaseServiceContract.checks)
    func `keeps the contract of a Firebase service`(check: ServiceContract) async throws {
        let adapter = MockFirebaseSDKAdapter()
        let service = FirebaseSDKService(adapter: adapter)

        try await FirebaseServiceContract.run(check, on: service) {
            await service.close()
            return adapter.events
        }
    }

    @Test(arguments: [(24, 0), (25, 0), (26, 1)])
    func `the SDK takes 25 parameters`(count: Int, repairs: Int) async {
        let adapter = MockFirebaseSDKAdapter()
        let service = FirebaseSDKService(adapter: adapter)

        service.track(
            FirebaseEvent(
                name: "e",
                parameters: EventParameters((0..<count).map { (ParameterKey("p\($0)"), .int($0)) })
            )
        )
        await service.close()

        #expect(adapter.events[0].parameters.count == min(count, 25))
        #expect(service.statistics.repaired == (repairs == 0 ? [:] : ["too_many_parameters": repairs]))
    }

    @Test func `what the SDK cannot hold is repaired and counted`() async {
        let adapter = MockFirebaseSDKAdapter()
        let service = FirebaseSDKService(adapter: adapter)
        let item: ParameterValue = ["item_id": "BK-17", "quantity": 2]

        service.track(
            FirebaseEvent(
                name: "purchase",
                parameters: [
                    "gift": true, "nan": .double(.nan), "o": ["a": 1], "items": [item], "ga_x": 1,
                    "note": .string(String(repeating: "x", count: 101)),
                ]
            )
        )
        await service.close()

        let note = ParameterValue.string(String(repeating: "x", count: 100))
        #expect(adapter.events[0].parameters == ["gift": 1, "items": [item], "note": note])
        #expect(
            service.statistics.repaired == [
                "value_not_finite": 1, "value_nested": 1, "key_reserved": 1, "value_too_long": 1,
            ]
        )
    }

    @Test(.timeLimit(.minutes(1)))
    func `what comes while the SDK is busy waits for it, and what does not fit is counted`() async {
        let adapter = RecordingFirebaseSDKAdapter()
        let service = FirebaseSDKService(adapter: adapter, capacity: 3)
        adapter.whenFirstCalled { [weak service] in
            for number in 0..<5 { service?.track(FirebaseEvent(name: "e\(number)")) }
        }

        service.track(FirebaseEvent(name: "first"))
        while service.statistics.refused["queue_full"] != 2 { await Task.yield() }
        await service.close()

        #expect(adapter.events.map(\.name) == ["first", "e0", "e1", "e2"])
        #expect(service.statistics.refused == ["queue_full": 2])
    }

    @Test func `a closed service counts what comes later`() async {
        let adapter = MockFirebaseSDKAdapter()
        let service = FirebaseSDKService(adapter: adapter)

        await service.close()
        service.track(FirebaseEvent(name: "late"))

        #expect(adapter.events.isEmpty)
        #expect(service.statistics.refused == ["closed": 1])
    }
}
