import CoreTracker
import CoreTrackerTesting
import Foundation
import MultiTracker
import Testing

@Suite struct TrackerStoreStormTests {
    private static let threads = 16
    private static let rounds = 1_000

    @Test func `while trackers are registered, removed and disabled, every event is tracked or counted`() {
        let config = TrackerConfig()
        let store = TrackerStore(config: config)
        let tracker = Tracker(trackerStore: store)
        let braze = MockTrackable("braze")

        Threads.run(Self.threads + 3) { index in
            for round in 0..<Self.rounds {
                switch index {
                case 0: _ = round.isMultiple(of: 2) ? store.register(braze) == .registered : store.unregister("braze")
                case 1: round.isMultiple(of: 2) ? config.disable("braze") : config.enable("braze")
                case 2: braze.isConsentDenied = round.isMultiple(of: 3)
                default: tracker.track(VendorEvent("braze", "e"))
                }
            }
        }

        let refused = store.skipCounts.values.reduce(0, +)
        #expect(braze.calls.count + refused == Self.threads * Self.rounds)
        #expect(store.skipCounts[.noCapability] == nil)
    }

    @Test func `of many registrations of one type exactly one succeeds and the others are counted`() {
        let store = TrackerStore()
        let trackers = (0..<Self.threads).map { _ in MockTrackable("braze") }

        Threads.run(Self.threads) { index in
            store.register(trackers[index])
            Tracker(trackerStore: store).trackPlay()
        }

        #expect(store.duplicateRegistrations == Self.threads - 1)
        #expect(trackers.filter { !$0.calls.isEmpty }.count == 1)
        #expect(trackers.flatMap(\.calls).count == Self.threads)
    }

    @Test func `a thread sees its own changes at once, regardless of changes by other threads`() {
        let config = TrackerConfig()
        let store = TrackerStore(config: config)
        let tracker = Tracker(trackerStore: store)
        let trackers = (0..<Self.threads).map { MockTrackable(TrackerType("t\($0)")) }
        for tracker in trackers { store.register(tracker) }

        Threads.run(Self.threads) { index in
            let type = trackers[index].type
            for round in 0..<Self.rounds {
                config.disable(type)
                tracker.track(VendorEvent(type, "no"))
                config.enable(type)
                tracker.track(VendorEvent(type, "\(round)"))
            }
        }

        for tracker in trackers {
            let calls = tracker.calls
            #expect(calls.count == Self.rounds)
            #expect(calls.firstIndex(of: .event(VendorEvent(tracker.type, "no"))) == nil)
        }
    }

    @Test func `a broadcast during concurrent changes reaches every unchanged tracker`() {
        let store = TrackerStore()
        let tracker = Tracker(trackerStore: store)
        let steady = MockTrackable("steady")
        store.register(steady)

        Threads.run(Self.threads + 1) { index in
            for round in 0..<Self.rounds {
                if index == 0 {
                    store.register(NoOpTracker(type: TrackerType("s\(round)")))
                    store.unregister(TrackerType("s\(round - 8)"))
                } else {
                    tracker.forEach(of: (any WishlistTrackable).self) { $0.trackWish("w") }
                }
            }
        }

        #expect(steady.calls.count == Self.threads * Self.rounds)
    }
}

/// A runner of closures on separate threads.
enum Threads {
    /// Runs a closure on several threads at the same time and waits for all of them.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread {
                body(index)
                group.leave()
            }.start()
        }
        group.wait()
    }
}
