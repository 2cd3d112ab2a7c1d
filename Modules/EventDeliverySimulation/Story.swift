import CoreTracker
package import EventDelivery
import EventDeliveryTesting

/// All that a seed decides beforehand: who does what in which life, and how the life ends.
///
/// The schedule, the costs and the luck of each request come from other streams of the seed, so that a story can be cut
/// without another one being told.
package struct Story: Sendable {
    /// One call, after a pause.
    package struct Step: Sendable {
        package var pause: Int64
        package var operation: Operation
    }

    /// How a life ends.
    package enum Ending: Sendable, Hashable, CaseIterable {
        case close, kill, powerLoss
    }

    /// One process from its start to its end.
    package struct Life: Sendable {
        package var settings = Settings()
        /// What several callers do at once.
        package var callers: [[Step]] = []
        /// How long it lasts at least.
        package var length: Int64 = 0
        package var ending = Ending.close
    }

    package var lives: [Life] = []
    /// Where the lives keep their events.
    package var storage = Storage.memory

    /// Where events are kept.
    package enum Storage: String, Sendable, Hashable {
        /// In memory; each story has one life.
        case memory
        /// In SQLite, over the simulated disk.
        case sqlite
    }

    /// How many operations there are.
    package var count: Int { lives.reduce(0) { $0 + $1.callers.reduce(0) { $0 + $1.count } } }

    /// The story of a seed.
    package init(seed: UInt64, storage: Storage) {
        var random = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x5709)
        self.storage = storage
        for _ in 0..<(storage == .memory ? 1 : 1 + random.below(3)) {
            lives.append(Life(storage: storage, using: &random))
        }
        // The last life only delivers what the others have left.
        if storage == .sqlite { lives.append(Life()) } else { lives[0].ending = .close }
    }

    /// The same calls without faults: the network, the disk and the clock do their work, and no process is killed.
    package var withoutFaults: Story {
        var story = self
        for life in story.lives.indices {
            story.lives[life].ending = .close
            for caller in story.lives[life].callers.indices {
                story.lives[life].callers[caller].removeAll(where: \.operation.isFault)
            }
        }
        return story
    }
}

/// What an engine of a simulation is made and opened with.
package struct Settings: Sendable, Hashable {
    package var capacity = 8_192
    package var budget = DeliveryBudget()
    package var sessionTimeout: Duration?
    package var limits = TrackLimits.none
    package var defaultConsent = Consent.granted
    /// How long the app waits before it opens the engine.
    package var opensAfter: Int64 = 0

    /// Settings like those of an app, some of them with a small bound.
    init(using random: inout SeededGenerator) {
        defaultConsent = random.pick([.granted, .granted, .granted, .unknown, .denied], or: .granted)
        opensAfter = random.pick([0, 0, 20_000, 3_000_000, 2_000_000_000], or: 0)
        if random.happens(15) { capacity = 1 + random.below(40) }
        if random.happens(15) { budget.events = 1 + random.below(60) }
        if random.happens(10) { budget.bytes = 500 + random.below(20_000) }
        if random.happens(15) { budget.heldEvents = 1 + random.below(20) }
        if random.happens(20) { budget.quarantinedEvents = 1 + random.below(6) }
        if random.happens(10) { budget.quarantinedBytes = 100 + random.below(1_000) }
        if random.happens(15) { budget.age = .seconds(5 + random.below(100)) }
        if random.happens(20) { sessionTimeout = .milliseconds(500 + random.below(10_000)) }
        if random.happens(8) { limits.eventsPerMinute = random.below(30) }
        if random.happens(8) { limits.sampling = ["e1": 0.5] }
    }

    /// The settings of an app that changes none.
    package init() {}

    /// The reasons for which they let events go.
    var possibleLosses: Set<DropReason> {
        let usual = DeliveryBudget()
        var reasons: Set<DropReason> = [.lostAtReceiver, .discarded, .heldBudget, .quarantineFull]
        if capacity < 2_000 { reasons.insert(.bufferFull) }
        if budget.events != usual.events { reasons.insert(.countBudget) }
        if budget.bytes != usual.bytes { reasons.insert(.byteBudget) }
        if budget.age != usual.age { reasons.insert(.expired) }
        if limits.eventsPerMinute != nil { reasons.insert(.rateCapped) }
        if !limits.sampling.isEmpty { reasons.insert(.sampledOut) }
        return reasons
    }
}

extension Story.Life {
    /// A life whose callers prefer some operations to others, and others than in the next one (swarm testing).
    fileprivate init(storage: Story.Storage, using random: inout SeededGenerator) {
        if random.happens(60) { settings = Settings(using: &random) }
        let weights = (0..<Story.Maker.kinds).map { _ in random.pick([0, 1, 1, 6], or: 1) }
        var maker = Story.Maker(weights: weights, storage: storage, settings: settings, random: random)
        // In some lives everything comes at once, and the user cannot decide.
        if maker.random.happens(12) { maker.hurry() }
        // Most lives are short; some are long enough for waits to end.
        let scale = random.pick([1, 1, 1, 1, 30, 600], or: 1)
        for _ in 0..<(1 + random.below(4)) {
            let count = 1 + random.below(random.pick([4, 12, 25], or: 12))
            callers.append((0..<count).map { _ in maker.step(scale: scale) })
        }
        random = maker.random
        length = Int64(random.below(6_000_000_000)) * Int64(scale)
        ending = random.pick(Story.Ending.allCases, or: .kill)
    }
}

extension Story {
    /// Makes operations by their weights.
    fileprivate struct Maker {
        static let kinds = 23
        var weights: [Int]
        let storage: Storage
        let settings: Settings
        var random: SeededGenerator
        var isHurried = false

        /// Makes operations that follow each other at once, and among them many words about consent.
        mutating func hurry() {
            isHurried = true
            for kind in 0...2 { weights[kind] = 20 }
        }

        mutating func step(scale: Int) -> Step {
            let pause =
                switch random.below(10) {
                case _ where isHurried: random.below(random.pick([30_000, 300_000, 6_000_000], or: 0))
                case 0...2: random.below(30_000)
                case 3...5: random.below(1_000_000)
                case 6...7: random.below(50_000_000) * scale
                default: random.below(1_500_000_000) * scale
                }
            // Half of all that is done is tracking.
            return Step(pause: Int64(pause), operation: random.happens(45) ? track() : other())
        }

        private mutating func track() -> Operation {
            let options = TrackOptions(
                durability: random.pick([.relaxed, .durable, .durable, .strict], or: .durable),
                priority: random.pick([.low, .normal, .normal, .normal, .high], or: .normal)
            )
            let lane = random.below(Lanes.count)
            if random.happens(35) { return .trackForReceipt(lane: lane, options) }
            let payload: Operation.Payload = random.pick([.plain, .plain, .plain, .plain, .poison, .rule], or: .plain)
            let count = random.pick([1, 1, 1, 1, 2, 2, 5, 5, 12, 12, 30, 400], or: 1)
            return .track(lane: lane, count: payload == .plain ? count : min(count, 3), options, payload)
        }

        private mutating func other() -> Operation {
            let total = weights.reduce(0, +)
            guard total > 0 else { return .persist }
            var (rest, kind) = (random.below(total), 0)
            while kind < weights.count - 1, rest >= weights[kind] {
                rest -= weights[kind]
                kind += 1
            }
            return operation(of: kind)
        }

        private mutating func operation(of kind: Int) -> Operation {
            switch kind {
            case 0, 1, 2:
                let consent: Consent = random.pick([.granted, .granted, .denied, .unknown], or: .denied)
                return .setConsent(consent, purpose: random.below(Lanes.purposes.count))
            case 3: return random.happens(70) ? .identify(user: random.below(Users.count)) : .clearUser
            case 4: return .startSession
            case 5: return .reset
            case 6, 7: return .flush(milliseconds: random.pick([0, 10, 500, 3_000, 60_000], or: 10))
            case 8: return .cancelledFlush(milliseconds: random.below(20_000))
            case 9, 10: return .persist
            case 11: return .resume
            case 12: return random.happens(50) ? .statistics : .explain
            case 13: return .audit
            case 14: return random.happens(60) ? .retryQuarantined : .discardQuarantined
            case 15: return random.happens(25) ? .close(milliseconds: random.below(3_000)) : .openAgain
            case 16: return .jump(seconds: Int64(random.pick([-100_000, -60, -1, 1, 60, 4_000, 100_000], or: 1)))
            case 17 where storage == .sqlite: return .disk(disk())
            case 18: return random.happens(70) ? .erase(user: random.below(Users.count)) : .eraseEverything
            case 19: return random.happens(40) ? .suspendStorage : .resumeStorage
            default: return .network(lane: random.below(Lanes.count), weather())
            }
        }

        private mutating func disk() -> DiskWeather {
            random.pick([.fair, .full, .failingReads, .failingWrites, .failingSyncs, .unopenable, .slow], or: .fair)
        }

        private mutating func weather() -> Weather {
            var weather = Weather()
            weather.latency = random.pick([100_000, 2_000_000, 50_000_000, 2_000_000_000, 40_000_000_000], or: 1)
            weather.percent = random.pick([0, 20, 60, 100], or: 50)
            if random.happens(15) { weather.limit = 200 + random.below(3_000) }
            weather.fault =
                switch random.below(14) {
                case 0: .refusedConnection
                case 1: .silence
                case 2, 3: .lostAnswer
                case 4: random.happens(30) ? .untrusted : .garbled
                case 5: .page
                case 6, 7: .partly
                case 8, 9: .retryAfter(random.pick([429, 503], or: 503), random.pick(Weather.waits, or: "1"))
                default: .status(random.pick(Weather.statuses, or: 500))
                }
            return weather
        }
    }
}
