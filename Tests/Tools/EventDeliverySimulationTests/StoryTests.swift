import CoreTracker
import EventDelivery
import Testing

@testable import EventDeliverySimulation

/// Tests that run the shortest story of each fault that broke a promise, over many schedules.
@Suite struct StoryTests {
    @Test func `storing while the engine opens loses nothing`() {
        var settings = Settings()
        settings.opensAfter = 40_000
        let steps: [Story.Step] = (0..<6).flatMap { _ in
            [
                Story.Step(pause: 9_000, operation: .track(lane: 0, count: 2, TrackOptions(), .plain)),
                Story.Step(pause: 7_000, operation: .storeBuffered),
                Story.Step(pause: 5_000, operation: .flush(milliseconds: 10)),
            ]
        }

        check(Story(settings: settings, [steps, steps]))
    }

    // Seed 60: events tracked before the close were sent after it had returned.
    @Test func `an engine that was closed before it is opened never opens`() {
        var settings = Settings()
        settings.opensAfter = 2_000_000
        let steps = [
            Story.Step(pause: 3_000, operation: .trackForReceipt(lane: 0, TrackOptions())),
            Story.Step(pause: 500_000, operation: .close(milliseconds: 300)),
        ]

        check(Story(settings: settings, [steps]))
    }

    // Seed 1083: the denial gave events from before and after the reset the same new installation id.
    @Test func `after a denial, events from before and after a reset have different installation ids`() {
        var settings = Settings()
        settings.opensAfter = 2_000_000_000
        let steps: [Story.Step] = [
            Story.Step(pause: 400_000_000, operation: .setConsent(.unknown, purpose: 1)),
            Story.Step(pause: 700_000_000, operation: .track(lane: 1, count: 1, TrackOptions(), .plain)),
            Story.Step(pause: 600_000_000, operation: .reset),
            Story.Step(pause: 60_000_000, operation: .setConsent(.denied, purpose: 0)),
            Story.Step(pause: 1_000_000_000, operation: .track(lane: 1, count: 1, TrackOptions(), .plain)),
        ]

        check(Story(settings: settings, [steps]))
    }

    // Seed 1609: events tracked after the second decision were dropped by the first decision.
    @Test(arguments: [Consent.granted, .unknown])
    func `a decision directly after a denial applies to the events that are tracked after it`(consent: Consent) {
        let steps: [Story.Step] = [
            Story.Step(pause: 1_000_000, operation: .setConsent(.denied, purpose: 0)),
            Story.Step(pause: 0, operation: .setConsent(consent, purpose: 0)),
            Story.Step(pause: 0, operation: .track(lane: 2, count: 1, TrackOptions(), .plain)),
        ]

        check(Story([steps]))
    }

    // Seed 1002199: the denial was already in effect, and the third decision applied only to events after it.
    @Test func `events that are tracked during a grant between a denial and an unknown decision are not dropped`() {
        let steps: [Story.Step] = [
            Story.Step(pause: 1_000_000, operation: .setConsent(.denied, purpose: 0)),
            Story.Step(pause: 60_000, operation: .setConsent(.granted, purpose: 0)),
            Story.Step(pause: 0, operation: .track(lane: 2, count: 1, TrackOptions(), .plain)),
            Story.Step(pause: 0, operation: .setConsent(.unknown, purpose: 0)),
        ]

        check(Story([steps]), schedules: 200)
    }

    // Seed 2050968: the cancelled request was still running, but its lease had been released.
    @Test func `a request waits for those that a denial has cancelled`() {
        let first = [Story.Step(pause: 300_000, operation: .track(lane: 2, count: 1, TrackOptions(), .plain))]
        let second = [
            Story.Step(pause: 900_000, operation: .setConsent(.denied, purpose: 0)),
            Story.Step(pause: 0, operation: .setConsent(.granted, purpose: 0)),
            Story.Step(pause: 0, operation: .track(lane: 2, count: 1, TrackOptions(), .plain)),
        ]

        check(Story([first, second]), schedules: 200)
    }

    // Seed 20018633: the new file stayed open after its directory could not be synced, and locked out later attempts.
    @Test func `a disk that fails while the file is created is used as soon as it works`() {
        let steps = [
            Story.Step(pause: 10_000, operation: .disk(.unopenable)),
            Story.Step(pause: 400_000, operation: .track(lane: 0, count: 1, TrackOptions(), .plain)),
            Story.Step(pause: 1_000_000_000, operation: .disk(.fair)),
        ]

        check(.stored([steps], length: 1_400_000_000), schedules: 420)
    }

    // Seed 2232604.
    @Test func `a second close waits for the first one`() {
        let silence = Weather(fault: .silence, percent: 100)
        let steps = [
            Story.Step(pause: 0, operation: .network(lane: 1, silence)),
            Story.Step(pause: 0, operation: .track(lane: 1, count: 1, TrackOptions(), .plain)),
            Story.Step(pause: 0, operation: .close(milliseconds: 3_000)),
            Story.Step(pause: 100_000_000, operation: .close(milliseconds: 500)),
        ]

        check(Story([steps]), schedules: 20)
    }

    @Test(arguments: [Story.Storage.memory, .sqlite])
    func `a denial before the opening drops earlier events, regardless of later decisions`(storage: Story.Storage) {
        var (settings, weather) = (Settings(), Weather())
        settings.opensAfter = 2_000_000
        (weather.fault, weather.percent) = (.refusedConnection, 100)
        let first = [
            Story.Step(pause: 0, operation: .network(lane: 2, weather)),
            Story.Step(pause: 0, operation: .track(lane: 2, count: 1, TrackOptions(), .plain)),
        ]
        let second = [
            Story.Step(pause: 0, operation: .track(lane: 2, count: 1, TrackOptions(), .plain)),
            Story.Step(pause: 0, operation: .setConsent(.denied, purpose: 0)),
            Story.Step(pause: 0, operation: .setConsent(.granted, purpose: 0)),
        ]
        var story = Story(settings: settings, [second])
        story.storage = storage
        if storage == .sqlite {
            let earlier = Story.Life(callers: [first], length: 3_000_000_000)
            story.lives = [earlier] + story.lives + [Story.Life()]
        }

        check(story)
    }

    // Seed 396, over SQLite: if a full disk refused a denial, its counts were kept and counted again.
    @Test func `a denial that a full disk refuses is counted once when it is stored`() {
        var weather = Weather()
        (weather.fault, weather.percent) = (.refusedConnection, 100)
        let steps = [
            Story.Step(pause: 20_000_000, operation: .disk(.full)),
            Story.Step(pause: 0, operation: .network(lane: 2, weather)),
            Story.Step(pause: 0, operation: .track(lane: 2, count: 1, TrackOptions(durability: .strict), .plain)),
            Story.Step(pause: 130_000_000, operation: .setConsent(.denied, purpose: 1)),
            Story.Step(pause: 140_000_000, operation: .disk(.fair)),
        ]

        check(Story.stored([steps], length: 2_000_000_000), schedules: 20)
    }

    // Seed 2545, over SQLite: the lane's row did not include the expiry, and after a kill the event counted as damaged.
    @Test func `an expired event counts as expired, even after a kill`() {
        var (settings, weather) = (Settings(), Weather())
        settings.budget.age = .seconds(30)
        (weather.fault, weather.percent) = (.page, 100)
        let steps = [
            Story.Step(pause: 0, operation: .network(lane: 1, weather)),
            Story.Step(pause: 1_000_000, operation: .trackForReceipt(lane: 1, TrackOptions(durability: .strict))),
        ]
        var story = Story.stored([steps, []], length: 36_000_000_000)
        for life in 0...1 { story.lives[life].settings = settings }
        story.lives[1].length = 350_000_000_000

        check(story, schedules: 20)
    }

    // Seed 798, over SQLite: one lane waited for the disk before it stopped, and another lane continued to send.
    @Test func `no lane sends after a close whose deadline a slow disk has passed`() {
        var weather = Weather()
        (weather.fault, weather.percent, weather.latency) = (.status(500), 60, 40_000_000)
        let steps = (0..<3).flatMap { lane in
            [
                Story.Step(pause: 0, operation: .network(lane: lane, weather)),
                Story.Step(pause: 0, operation: .track(lane: lane, count: 12, TrackOptions(), .plain)),
            ]
        }
        let close = [
            Story.Step(pause: 50_000_000, operation: .disk(.slow)),
            Story.Step(pause: 900_000_000, operation: .close(milliseconds: 100)),
        ]
        var story = Story.stored([steps + close], length: 60_000_000_000)
        story.lives[0].ending = .kill

        check(story, schedules: 60)
    }

    // Seed 199, over SQLite: the writer slept, and a kill lost the count of the events beyond the rate.
    @Test func `a loss is counted within a second, even if nothing else is stored`() {
        var settings = Settings()
        settings.quotas.eventsPerMinute = 1
        let steps = [
            Story.Step(pause: 300_000_000, operation: .track(lane: 1, count: 5, TrackOptions(), .plain)),
            Story.Step(pause: 900_000_000, operation: .track(lane: 1, count: 1, TrackOptions(), .plain)),
        ]
        var story = Story.stored([steps], length: 4_000_000_000)
        (story.lives[0].settings, story.lives[0].ending) = (settings, .kill)

        check(story, schedules: 20)
    }

    // Seed 2610, over SQLite: the first denial was stored again with the second one.
    @Test func `a stored denial is not applied again because of another one`() {
        let first = [
            Story.Step(pause: 100_000_000, operation: .setConsent(.denied, purpose: 1)),
            Story.Step(pause: 100_000_000, operation: .disk(.failingWrites)),
            Story.Step(pause: 0, operation: .setConsent(.denied, purpose: 0)),
        ]
        let second = [
            Story.Step(pause: 100_000_000, operation: .setConsent(.unknown, purpose: 1)),
            Story.Step(pause: 0, operation: .trackForReceipt(lane: 1, TrackOptions())),
        ]
        var story = Story.stored([first, second], length: 2_000_000_000)
        story.lives[0].ending = .kill

        check(story)
    }

    // Seed 8160, over SQLite: the rows were deleted, and events stored in the same transaction were stored twice.
    @Test func `events that are stored while the bytes of a denial cannot be deleted are stored once`() {
        let steps = (0..<4).flatMap { _ in
            [
                Story.Step(pause: 3_000_000_000, operation: .setConsent(.denied, purpose: 1)),
                Story.Step(pause: 0, operation: .trackForReceipt(lane: 0, TrackOptions())),
            ]
        }
        let disk = Story.Step(pause: 100_000_000, operation: .disk(.failingReads))

        check(Story.stored([[disk] + steps], length: 20_000_000_000))
    }

    // Seed 6321, over SQLite: the request had begun after the call, and its lease was removed with the events.
    @Test func `a lane waits for a request whose event an erasure has deleted`() {
        var weather = Weather()
        weather.latency = 50_000_000
        let first = [Story.Step(pause: 500_000_000, operation: .disk(.unopenable))]
        let track = Operation.track(lane: 2, count: 1, TrackOptions(durability: .strict), .plain)
        let second = [
            Story.Step(pause: 0, operation: .network(lane: 2, weather)),
            Story.Step(pause: 60_000, operation: .eraseEverything),
            Story.Step(pause: 30_000, operation: track),
            Story.Step(pause: 1_200_000, operation: track),
            Story.Step(pause: 1_200_000, operation: track),
        ]

        check(Story.stored([first, second], length: 2_000_000_000), schedules: 100)
    }

    // Seed 592, over SQLite: the request's lease was lost when its event was moved from memory into a file.
    @Test func `a batch in flight is not sent again when its events are moved into a file`() {
        var weather = Weather()
        weather.latency = 2_000_000_000
        let first = [Story.Step(pause: 1_000_000, operation: .disk(.unopenable))]
        let second = [
            Story.Step(pause: 0, operation: .network(lane: 0, weather)),
            Story.Step(pause: 0, operation: .trackForReceipt(lane: 0, TrackOptions())),
            Story.Step(pause: 0, operation: .track(lane: 1, count: 3, TrackOptions(), .poison)),
        ]

        check(Story.stored([first, second], length: 60_000_000_000))
    }

    // Seed 42817, over SQLite: the failed commit was both in memory and in the file when the file was opened again.
    @Test func `events that are kept in memory after a failed sync are stored once after a suspension`() {
        let steps = [
            Story.Step(pause: 20_000_000, operation: .disk(.failingSyncs)),
            Story.Step(
                pause: 0,
                operation: .track(lane: 0, count: 1, TrackOptions(durability: .strict), .plain)
            ),
            Story.Step(pause: 3_000_000, operation: .suspendStorage),
            Story.Step(pause: 20_000_000, operation: .resumeStorage),
        ]

        check(Story.stored([steps], length: 2_000_000_000), schedules: 30)
    }

    // Seed 11111: the events were still only in memory when the call returned, although the directory could be used.
    @Test func `storing stores events that were kept in memory because the directory could not be opened`() {
        var weather = Weather()
        (weather.fault, weather.percent) = (.refusedConnection, 100)
        let steps = [
            Story.Step(pause: 0, operation: .network(lane: 1, weather)),
            Story.Step(pause: 1_000_000, operation: .disk(.unopenable)),
            Story.Step(pause: 20_000_000, operation: .trackForReceipt(lane: 1, TrackOptions())),
            Story.Step(pause: 10_000_000, operation: .disk(.fair)),
            Story.Step(pause: 400_000_000, operation: .storeBuffered),
        ]
        var story = Story.stored([steps], length: 700_000_001)
        (story.lives[0].settings.opensAfter, story.lives[0].ending) = (10_000_000, .kill)

        check(story)
    }

    // Seed 1561: the batch was formed before the call, and sent again after it.
    @Test func `a batch with an event that an erasure covers is not sent, even if a full disk refuses the erasure`() {
        let second = [
            Story.Step(pause: 20_000_000, operation: .disk(.full)),
            Story.Step(pause: 20_000_000, operation: .track(lane: 1, count: 2, TrackOptions(), .poison)),
            Story.Step(pause: 900_000, operation: .eraseEverything),
        ]

        check(Story.stored([second], length: 3_000_000_000))
    }

    // Seed 1124: the stored denial replaced the decision, but was itself no longer in effect.
    @Test func `a process that waits for its directory keeps a decision that is stricter than the stored one`() {
        let steps = [
            Story.Step(pause: 10_000, operation: .setConsent(.unknown, purpose: 1)),
            Story.Step(pause: 1_000_000_000, operation: .trackForReceipt(lane: 1, TrackOptions())),
        ]
        var story = Story.stored([[], steps], length: 3_000_000_000)
        story.lives[0].settings.defaultConsent = .denied
        (story.lives[0].ending, story.lives[0].holdsDirectory) = (.kill, 50_000_000)

        check(story)
    }

    // Seed 919: the directory was already free, but the events stayed in the buffer.
    @Test func `a suspension stores the events of a process that has waited for its directory`() {
        let steps = [
            Story.Step(pause: 400_000_000, operation: .track(lane: 0, count: 1, TrackOptions(), .plain)),
            Story.Step(pause: 1_200_000_000, operation: .suspendStorage),
        ]
        var story = Story.stored([[], steps], length: 5_000_000_000)
        (story.lives[0].ending, story.lives[0].holdsDirectory) = (.kill, 1_500_000_000)
        story.lives[1].ending = .powerLoss

        check(story)
    }

    // Seeds 9433 and 11559, in memory: the process continued after the deadline, before its lanes had stopped.
    @Test func `after a close that a freeze delayed, nothing is sent`() {
        let first = [
            Story.Step(pause: 100_000, operation: .close(milliseconds: 1_000)),
            Story.Step(pause: 20_000, operation: .track(lane: 0, count: 1, TrackOptions(), .plain)),
            Story.Step(pause: 20_000, operation: .freeze(milliseconds: 90_000)),
        ]
        let second = (0..<3).map {
            Story.Step(pause: 60_000, operation: .track(lane: $0, count: 1, TrackOptions(), .plain))
        }
        var story = Story([first, second])
        story.lives[0].length = 100_000_000_000

        check(story, schedules: 200)
    }

    // Seed 8878, in memory: the request was registered before the call, and began after it had returned.
    @Test func `a decision other than a grant cancels requests that have not begun`() {
        let steps = [
            Story.Step(pause: 300_000, operation: .track(lane: 1, count: 2, TrackOptions(), .poison)),
            Story.Step(pause: 1_000_000, operation: .setConsent(.unknown, purpose: 1)),
        ]

        check(Story([steps]), schedules: 400)
    }

    // Seed 463, in memory: the request was registered before the call, and began after it had returned.
    @Test func `a request that has not begun waits for the end of a hold`() {
        let steps = [
            Story.Step(pause: 300_000, operation: .track(lane: 2, count: 1, TrackOptions(), .plain)),
            Story.Step(pause: 500_000, operation: .hold(lane: 2)),
            Story.Step(pause: 20_000_000, operation: .release),
        ]

        check(Story([steps]), schedules: 400)
    }

    @Test func `a frozen process keeps its promises when it continues`() {
        let steps = (0..<3).flatMap { lane in
            [
                Story.Step(pause: 1_000_000, operation: .trackForReceipt(lane: lane, TrackOptions())),
                Story.Step(pause: 10_000, operation: .flush(milliseconds: 500)),
                Story.Step(pause: 100_000, operation: .freeze(milliseconds: 2_000)),
            ]
        }

        check(Story.stored([steps], length: 10_000_000_000), schedules: 20)
    }

    // Seed 23645, over SQLite: the document could not be opened at the start, and was not in effect in that life.
    @Test func `a quotas document that cannot be read at the start is in effect when the disk allows it`() {
        let first = [
            Story.Step(pause: 100_000_000, operation: .setQuotas(document: 1)),
            Story.Step(pause: 100_000_000, operation: .disk(.unopenable)),
        ]
        let second = [
            Story.Step(pause: 1_000_000_000, operation: .track(lane: 0, count: 3, TrackOptions(), .plain)),
            Story.Step(pause: 100_000_000_000, operation: .disk(.fair)),
            Story.Step(pause: 80_000_000_000, operation: .track(lane: 0, count: 9, TrackOptions(), .plain)),
        ]

        check(Story.stored([first, second], length: 190_000_000_000), schedules: 40)
    }

    @Test func `a story depends only on its seed`() {
        let stories = [7, 7, 8].map { Story(seed: $0, storage: .memory) }

        #expect(
            stories[0].lives.first?.callers.first?.first?.operation
                == stories[1].lives.first?.callers.first?.first?.operation
        )
        #expect(stories[0].count == stories[1].count)
        #expect(stories.allSatisfy { $0.count > 0 && $0.lives.count == 1 })
    }

    @Test func `without faults, a story keeps all calls, and each process ends with a close`() {
        for seed in 0..<4 as Range<UInt64> {
            let story = Story(seed: seed, storage: .sqlite)
            let faults = story.lives.flatMap(\.callers).joined().filter(\.operation.isFault)

            let fair = story.withoutFaults

            #expect(fair.count == story.count - faults.count)
            #expect(fair.lives.allSatisfy { $0.ending == .close })
            #expect(World.run(seed: seed, story: fair).violations.isEmpty)
        }
    }

    private func check(_ story: Story, schedules: UInt64 = 60) {
        for seed in 0..<schedules {
            let outcome = World.run(seed: seed, story: story)

            #expect(outcome.violations.isEmpty, "schedule \(seed)")
        }
    }
}

extension Story {
    /// A story of one life.
    init(settings: Settings = Settings(), _ callers: [[Step]]) {
        self.init(seed: 0, storage: .memory)
        lives = [Life(settings: settings, callers: callers, length: 5_000_000_000)]
    }

    /// A story over SQLite, with a life for each caller.
    ///
    /// A life begins when the previous one was killed or closed.
    static func stored(_ callers: [[Step]], length: Int64) -> Story {
        var story = Story(seed: 0, storage: .sqlite)
        let endings: [Ending] = [.close, .kill]
        story.lives = callers.enumerated().map { number, steps in
            let ending = endings[min(number, callers.count - 1) % 2]
            return Life(
                callers: [steps],
                length: number == 0 && callers.count > 1 ? 2_000_000_000 : length,
                ending: ending
            )
        }
        story.lives.append(Life())
        return story
    }
}
