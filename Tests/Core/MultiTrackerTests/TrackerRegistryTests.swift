import CoreTracker
import Testing

@testable import MultiTracker

@Suite struct TrackerRegistryTests {
    @Test func `a tracker is found by its type until it is removed`() {
        let registry = TrackerRegistry(selection: .all(except: []), revision: 1)
            .adding(Registration(NoOpTracker(type: "a")))
            .adding(Registration(NoOpTracker(type: "b")))

        #expect(registry["a"]?.type == "a")
        #expect(registry["c"] == nil)
        #expect(registry.removing("a")["a"] == nil)
        #expect(registry.removing("a").registrations.map(\.type) == ["b"])
    }

    @Test func `a capability is resolved once and follows every change`() {
        let empty = TrackerRegistry(selection: .all(except: []), revision: 1)
        let (resolved, first) = empty.resolving((any Trackable).self)

        let registry = resolved.adding(Registration(NoOpTracker(type: "a")))

        #expect(first.conforming.isEmpty)
        #expect(empty.table(of: (any Trackable).self) == nil)
        #expect(registry.table(of: (any Trackable).self)?.enabled.count == 1)
        #expect(registry.resolving((any Trackable).self).0 === registry)
        let selected = registry.selecting(.only([]), revision: 2)
        #expect(selected.revision == 2)
        #expect(selected.table(of: (any Trackable).self)?.disabledCount == 1)
        #expect(selected.removing("a").table(of: (any Trackable).self)?.conforming.isEmpty == true)
    }
}

@Suite struct CapabilityTableTests {
    @Test func `it has only trackers with the capability, in the order of their registration`() {
        let registrations = ["a", "b", "c"].map { Registration(NoOpTracker(type: $0)) }

        let table = CapabilityTable<any Trackable>(registrations, selection: .all(except: ["b"]))
        let none = CapabilityTable<any PlaybackTrackable>(registrations, selection: .all(except: []))

        #expect(table.conforming.map(\.registration.type) == ["a", "b", "c"])
        #expect(table.enabled.map(\.registration.type) == ["a", "c"])
        #expect(table.disabledCount == 1)
        #expect(none.conforming.isEmpty)
    }

    @Test func `a tracker without the capability changes nothing`() {
        let table = CapabilityTable<any PlaybackTrackable>([], selection: .all(except: []))

        let added = table.adding(Registration(NoOpTracker(type: "a")), selection: .all(except: []))

        #expect(added === table)
    }
}

@Suite(.timeLimit(.minutes(5))) struct SkipCounterTests {
    @Test func `skipped calls are counted by reason, except for trackers that are not addressed`() {
        let counter = SkipCounter()

        counter.add(.disabled)
        counter.add(.disabled, count: 2)
        counter.add(.noConsent)
        counter.add(.noCapability, count: 0)
        counter.add(.notAddressed, count: 5)

        #expect(counter.counts == [.disabled: 3, .noConsent: 1])
    }

    @Test func `no count of many threads is lost`() async {
        let counter = Holder()

        await withTaskGroup { group in
            for _ in 1...8 { group.addTask { for _ in 1...500 { counter.value.add(.notRegistered) } } }
        }

        #expect(counter.value.counts == [.notRegistered: 4_000])
    }

    private final class Holder: Sendable {
        let value = SkipCounter()
    }
}

@Suite struct SharedReferenceTests {
    @Test func `every read after a store returns the new value`() {
        let reference = SharedReference("old")

        reference.store("new")

        for _ in 0..<64 { #expect(reference.load() == "new") }
    }

    @Test func `readers on many threads see only values that were stored`() {
        let reference = SharedReference([0, 0])

        Threads.run(16) { index in
            for round in 1...1_000 {
                if index == 0 { reference.store([round, round]) }
                let value = reference.load()
                if value[0] != value[1] { Issue.record("a torn value") }
            }
        }

        #expect(reference.load() == [1_000, 1_000])
    }
}
