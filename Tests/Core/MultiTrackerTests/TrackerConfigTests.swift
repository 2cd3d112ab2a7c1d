import CoreTracker
import MultiTracker
import Testing

@Suite struct TrackerConfigTests {
    @Test func `every change has a new revision`() {
        let config = TrackerConfig()
        var revisions = [config.revision]

        config.disable("adobe")
        revisions.append(config.revision)
        config.enable("adobe")
        revisions.append(config.revision)

        #expect(Set(revisions).count == 3)
        #expect(config.enabledTrackers == .all(except: []))
    }

    @Test func `a remote list enables exactly the trackers in it`() throws {
        let config = TrackerConfig()

        try config.apply(remoteNames: ["braze", "sumo.logs", "braze"])

        #expect(config.enabledTrackers == .only(["braze", "sumo.logs"]))
    }

    @Test func `an empty remote list disables every tracker`() throws {
        let config = TrackerConfig()

        try config.apply(remoteNames: [])

        #expect(config.enabledTrackers == .only([]))
    }

    @Test(
        arguments: [
            (["braze", ""], TrackerConfigError.emptyName(index: 1)),
            ([String(repeating: "n", count: 65)], .nameTooLong(index: 0, limit: 64)),
            ([String(repeating: "é", count: 33)], .nameTooLong(index: 0, limit: 64)),
            (["adobe", "bra\u{0}ze"], .invalidCharacter(index: 1)),
            (["../etc"], .invalidCharacter(index: 0)),
            (["braze\n"], .invalidCharacter(index: 0)),
            (["бraze"], .invalidCharacter(index: 0)),
            (Array(repeating: "braze", count: 257), .tooManyNames(count: 257, limit: 256)),
        ]
    )
    func `a hostile remote list is refused as a whole and counted`(names: [String], error: TrackerConfigError) {
        let config = TrackerConfig(.only(["adobe"]))
        let revision = config.revision

        #expect(throws: error) { try config.apply(remoteNames: names) }

        #expect(config.enabledTrackers == .only(["adobe"]))
        #expect(config.revision == revision)
        #expect(config.rejections == [error.rule: 1])
    }

    @Test func `a remote list at the limits is accepted`() throws {
        let config = TrackerConfig()
        let names = (0..<255).map { "t\($0)" } + [String(repeating: "n", count: 64)]

        try config.apply(remoteNames: names)

        #expect(config.enabledTrackers.contains("t254"))
        #expect(config.rejections.isEmpty)
    }
}

@Suite struct TrackerConfigErrorTests {
    @Test(arguments: [
        (TrackerConfigError.tooManyNames(count: 300, limit: 256), "too_many_names"),
        (.emptyName(index: 0), "empty_name"), (.nameTooLong(index: 1, limit: 64), "name_too_long"),
        (.invalidCharacter(index: 2), "invalid_character"),
    ])
    func `each error is counted under a different name`(error: TrackerConfigError, rule: String) {
        #expect(error.rule == rule)
    }
}

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
