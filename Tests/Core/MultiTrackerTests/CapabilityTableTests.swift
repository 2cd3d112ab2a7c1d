import CoreTracker
import Testing

@testable import MultiTracker

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
