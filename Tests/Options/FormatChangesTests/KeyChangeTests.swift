import CoreTracker
import EventDelivery
import EventDeliveryTesting
import FormatChanges
import ProfileUpdates
import Testing

@Suite(.timeLimit(.minutes(1))) struct KeyChangeTests {
    private let destination = RecordingDestination(lane: LaneID(product: "T", service: "lines"))
    private let other = RecordingDestination(lane: LaneID(product: "T", service: "other"), purpose: .marketing)
    private let engine = DeliveryEngine(clock: TestClock())

    @Test func `a denylist removes keys at every level, and keeps other events as they are`() async throws {
        try await open([KeyDenylist(["mail", "phone"])])

        let items: ParameterValue = [["id": "7", "phone": "5"], ["id": "8"]]
        track("viewed", ["mail": "a@b", "items": items, "count": 2], over: ["phone": "5", "channel": "web"])
        track("viewed", ["count": 2])
        await engine.storeBuffered()

        let kept: ParameterValue = [["id": "7"], ["id": "8"]]
        #expect(destination.events.map(\.parameters) == [["items": kept, "count": 2], ["count": 2]])
        #expect(destination.events.map(\.defaults) == [["channel": "web"], [:]])
        #expect(await ledger().adjusted == ["middleware.key_denylist": 1])
    }

    @Test(
        arguments: [
            (["old": 1, "b": 2], false, ["new": 1, "b": 2]), (["old": 1, "new": 2], false, ["new": 2]),
            (["old": 1], true, ["old": 1, "new": 1]), (["list": [["old": 1]]], false, ["list": [["new": 1]]]),
            (["b": 2], true, ["b": 2]), (["x": 1, "y": 2], false, ["y": 1, "x": 2]), (["x": 1], false, ["y": 1]),
            (["c": 1, "d": 2], false, ["d": 1, "e": 2]), (["same": 1], false, ["same": 1]),
            (["old": 1, "older": 2], false, ["new": 1]),
            (["list": [["x": 1, "y": 2]]], true, ["list": [["x": 1, "y": 2]]]),
        ] as [(EventParameters, Bool, EventParameters)]
    )
    func `a rename moves or copies a value to its new key`(
        tracked: EventParameters,
        keepsOld: Bool,
        sent: EventParameters
    ) {
        let event = OutgoingEvent.stub(parameters: tracked)

        let names: [ParameterKey: ParameterKey] = [
            "old": "new", "older": "new", "x": "y", "y": "x", "c": "d", "d": "e", "same": "same",
        ]

        #expect(process(event, by: KeyRename(names, keepsOld: keepsOld)).parameters == sent)
    }

    @Test(
        arguments: [
            (["old"], [:], false, ["new"]), (["old"], [:], true, ["old", "new"]), (["b"], [:], true, ["b"]),
            (["old", "older"], [:], false, ["new"]), (["old", "new"], [:], false, ["new"]),
            (["x"], ["y": 1], false, ["y"]), (["old"], ["new": 1], false, []), (["old"], ["new": 1], true, ["old"]),
            (["new"], ["old": 1], false, []), (["old"], ["b": 1], false, ["new"]),
        ] as [([ParameterKey], EventParameters, Bool, [ParameterKey])]
    )
    func `a rename also changes the names of removed traits, except those that the update sets`(
        removed: [ParameterKey],
        traits: EventParameters,
        keepsOld: Bool,
        sent: [ParameterKey]
    ) {
        let rename = KeyRename(["old": "new", "older": "new", "x": "y", "y": "x"], keepsOld: keepsOld)
        let updates: [OutgoingEvent] = [
            .stub(parameters: traits, update: .traits), .stub(parameters: ["traits": .object(traits)], update: .group),
        ]

        for var update in updates {
            update.removedTraits = removed
            #expect(process(update, by: rename).removedTraits == sent)
        }
    }

    @Test(
        arguments: [
            (["list": 1], ["item_list_id": 2], false, ["item_list_id": 2], 1),
            (["item_list_id": 1], ["list": 2], false, ["item_list_id": 1], 1),
            (["list": 1], ["older": 2], false, ["item_list_id": 1], 1),
            (["list": 1], ["list": 2], false, ["item_list_id": 1], 0),
            (["list": 1], ["x": 2], false, ["y": 2, "item_list_id": 1], 0),
            (["x": 1], ["y": 2], false, ["x": 2, "y": 1], 0),
            (["x": 1, "y": 2], ["y": 3], false, ["y": 1, "x": 2], 0),
            (["list": 1], ["item_list_id": 2], true, ["item_list_id": 2, "list": 1], 0),
            (["item_list_id": 1], ["list": 2], true, ["list": 2, "item_list_id": 1], 0),
        ] as [(EventParameters, EventParameters, Bool, EventParameters, Int)]
    )
    func `a parameter and a default that get one key are a collision, and the one that has the key stays`(
        tracked: EventParameters,
        defaults: EventParameters,
        keepsOld: Bool,
        sent: EventParameters,
        lost: Int
    ) {
        let names: [ParameterKey: ParameterKey] = ["list": "item_list_id", "older": "item_list_id", "x": "y", "y": "x"]
        let event = OutgoingEvent.stub(parameters: tracked, defaults: defaults)

        let result = KeyRename(names, keepsOld: keepsOld).process(event, on: destination.lane)

        guard case .change(let changed, let count) = result else {
            Issue.record("The event is not changed.")
            return
        }
        #expect(changed.mergedParameters == sent)
        #expect(count == lost)
    }

    @Test func `only the traits of a group are changed, and nothing of an alias`() {
        let rename = KeyRename(["traits": "attributes", "group_id": "id", "previous_id": "old_id", "seats": "places"])
        var group = OutgoingEvent.stub(parameters: ["group_id": "7", "traits": ["seats": 25]], update: .group)
        group.removedTraits = ["traits"]
        let alias = OutgoingEvent.stub(parameters: ["previous_id": "7"], update: .alias)

        let renamed = process(group, by: rename)
        let removed = process(group, by: KeyDenylist(["group_id", "traits", "seats"]))

        #expect(renamed.parameters == ["group_id": "7", "traits": ["places": 25]])
        #expect(renamed.removedTraits == ["attributes"])
        #expect(removed.parameters == ["group_id": "7", "traits": [:]])
        #expect(removed.removedTraits.isEmpty)
        #expect(process(alias, by: rename) == alias)
    }

    @Test func `a trait that is removed after its rename is removed under the new name`() async throws {
        let profiles = RecordingDestination(lane: LaneID(product: "T", service: "profiles"), updates: [.traits])
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [profiles],
            transport: ScriptedTransport { _, _ in .hang }
        )
        configuration.middleware = [KeyDenylist(["phone"]), KeyRename(["plan": "tier"])]
        try await engine.open(configuration)

        engine.user.setTraits(["plan": "gold"])
        engine.user.setTraits(["plan": nil, "phone": nil])
        await engine.storeBuffered()

        #expect(profiles.events.map(\.parameters) == [["tier": "gold"], [:]])
        #expect(profiles.events.map(\.removedTraits) == [[], ["tier"]])
    }

    @Test func `values that lose their key to another one are counted`() async throws {
        try await open([KeyRename(["old": "new", "older": "new"])])

        track("viewed", ["old": 1, "new": 2, "items": [["old": 3, "older": 4]]])
        await engine.storeBuffered()

        #expect(destination.events.map(\.parameters) == [["new": 2, "items": [["new": 3]]]])
        #expect(
            await ledger().adjusted == ["middleware.key_rename": 1, "middleware.key_rename.collision": 2]
        )
    }

    @Test func `a configuration removes a key, and renames one on some lanes`() async throws {
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [destination, other],
            transport: ScriptedTransport()
        )
        configuration.middleware = [KeyDenylist(["phone"]), KeyRename(["list": "item_list_id"]).only(on: [other.lane])]
        try await engine.open(configuration)

        for lane in [destination.lane, other.lane] {
            engine.lane(lane).track("viewed", parameters: ["list": "shoes", "phone": "5"])
        }
        await engine.storeBuffered()

        #expect(destination.events.map(\.parameters) == [["list": "shoes"]])
        #expect(other.events.map(\.parameters) == [["item_list_id": "shoes"]])
    }

    /// Returns an event after a middleware that drops none.
    private func process(_ event: OutgoingEvent, by middleware: some EventMiddleware) -> OutgoingEvent {
        let result = middleware.process(event, on: destination.lane)
        #expect(result != .drop)
        if case .change(let changed, _) = result { return changed }
        return event
    }

    private func track(_ name: String, _ parameters: EventParameters = [:], over defaults: EventParameters = [:]) {
        engine.lane(destination.lane).track(name, parameters: parameters, defaults: defaults)
    }

    private func ledger() async -> LaneLedger {
        await engine.statistics().first { $0.id == destination.lane }?.ledger ?? LaneLedger()
    }

    private func open(_ middleware: [any EventMiddleware]) async throws {
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [destination, other],
            transport: ScriptedTransport { _, _ in .hang }
        )
        configuration.middleware = middleware
        try await engine.open(configuration)
    }
}
