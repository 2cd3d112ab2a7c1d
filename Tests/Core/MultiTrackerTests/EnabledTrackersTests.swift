import CoreTracker
import MultiTracker
import Testing

@Suite struct EnabledTrackersTests {
    @Test func `without exceptions every type is enabled`() {
        #expect(EnabledTrackers.all(except: []).contains("braze"))
    }

    @Test func `an exception is not enabled until it is inserted again`() {
        var enabled = EnabledTrackers.all(except: [])

        enabled.remove("braze")
        #expect(!enabled.contains("braze"))

        enabled.insert("braze")
        #expect(enabled == .all(except: []))
    }

    @Test func `a list enables its members alone`() {
        let enabled: EnabledTrackers = ["braze", "adobe"]

        #expect(enabled.contains("braze") && enabled.contains("adobe") && !enabled.contains("sumo"))
        #expect(enabled == .only(["adobe", "braze"]))
    }

    @Test func `of a closed set only the members are enabled`() {
        var enabled = EnabledTrackers.only(["adobe"])

        enabled.insert("braze")
        enabled.remove("adobe")

        #expect(enabled == .only(["braze"]))
        #expect(!enabled.contains("adobe"))
    }
}
