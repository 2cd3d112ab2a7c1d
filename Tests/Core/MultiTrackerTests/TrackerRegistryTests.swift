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
