import CoreTracker
import Testing

@Suite struct EventServiceBuilderTests {
    @Test func `each statement adds a service, in source order`() {
        let services = Listed(isWide: true, vendors: ["a", "b"]).services

        #expect(
            services == [
                .firebase(FirebaseEvent(name: "seen", parameters: ["count": 1])),
                .awesomeTracking(AwesomeTrackingEvent(name: "wide")),
                .awesomeTracking(AwesomeTrackingEvent(name: "either")),
                .vendor(VendorEvent("a", "seen", ["count": 1])),
                .vendor(VendorEvent("b", "seen", ["count": 1])),
            ]
        )
    }

    @Test func `a false condition adds no service`() {
        #expect(
            Listed(isWide: false, vendors: []).services == [
                .firebase(FirebaseEvent(name: "seen", parameters: ["count": 1])),
                .awesomeTracking(AwesomeTrackingEvent(name: "or")),
            ]
        )
        #expect(Silent().services.isEmpty)
    }

    @Test(arguments: [true, false])
    func `branches and loops add one or more services at any position`(isFirst: Bool) {
        let names = Branched(isFirst: isFirst).services.map { service in
            guard case .vendor(let event) = service else { return "" }
            return event.name
        }

        #expect(names == (isFirst ? ["1", "2"] : ["3"]) + ["4", "5", "4", "5", "6"] + (isFirst ? [] : ["7", "8"]))
        #expect(Alone().services == [.firebase(FirebaseEvent("seen"))])
    }

    @Test func `the explicit form is equal to the short one`() {
        #expect(Literal().services == Short().services)
        #expect(Returned().services == Short().services)
    }

    @Test func `two sets of parameters keep their order, and the second overrides the first`() {
        let event = FirebaseEvent("seen", ["a": 1, "b": 2], merging: ["c": 3, "a": 4])

        #expect(event == FirebaseEvent(name: "seen", parameters: ["a": 4, "b": 2, "c": 3]))
        #expect(
            AwesomeTrackingEvent("seen", [], merging: ["c": 3])
                == AwesomeTrackingEvent(name: "seen", parameters: ["c": 3])
        )
        #expect(VendorEvent("a", "seen", ["b": 1], merging: ["c": 3]) == VendorEvent("a", "seen", ["b": 1, "c": 3]))
    }
}

private struct Listed: CoreTrackable {
    let isWide: Bool
    let vendors: [TrackerType]

    var services: [EventService] {
        FirebaseEvent("seen", ["count": 1])
        if isWide { AwesomeTrackingEvent("wide") }
        if isWide {
            AwesomeTrackingEvent("either")
        } else {
            AwesomeTrackingEvent("or")
        }
        for vendor in vendors { VendorEvent(vendor, "seen", ["count": 1]) }
    }
}

private struct Branched: CoreTrackable {
    let isFirst: Bool

    var services: [EventService] {
        if isFirst {
            VendorEvent("a", "1")
            VendorEvent("a", "2")
        } else {
            VendorEvent("a", "3")
        }
        for _ in 1...2 {
            VendorEvent("a", "4")
            VendorEvent("a", "5")
        }
        VendorEvent("a", "6")
        if !isFirst {
            VendorEvent("a", "7")
            VendorEvent("a", "8")
        }
    }
}

private struct Alone: CoreTrackable {
    var services: [EventService] { FirebaseEvent("seen") }
}

private struct Silent: CoreTrackable {
    var services: [EventService] {}
}

private struct Short: CoreTrackable {
    var services: [EventService] {
        FirebaseEvent("seen", ["count": 1])
        AwesomeTrackingEvent("seen")
    }
}

private struct Literal: CoreTrackable {
    var services: [EventService] {
        [
            .firebase(FirebaseEvent(name: "seen", parameters: ["count": .int(1)])),
            .awesomeTracking(AwesomeTrackingEvent(name: "seen")),
        ]
    }
}

private struct Returned: CoreTrackable {
    var services: [EventService] {
        let seen = AwesomeTrackingEvent(name: "seen")
        return [.firebase(FirebaseEvent(name: "seen", parameters: ["count": 1])), .awesomeTracking(seen)]
    }
}
