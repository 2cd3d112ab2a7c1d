import CoreTracker
package import EventDelivery
import EventDeliveryTesting

/// A story: the operations of each life and its ending, as the seed determines them before the run.
///
/// The schedule, the costs and the result of each request use other streams of the seed. So removing operations from a
/// story does not change the others.
package struct Story: Sendable {
    /// An operation after a pause.
    package struct Step: Sendable {
        package var pause: Int64
        package var operation: Operation
    }

    /// The ending of a life.
    package enum Ending: Sendable, Hashable, CaseIterable {
        case close, kill, powerLoss
    }

    /// A process from its start to its end.
    package struct Life: Sendable {
        package var settings = Settings()
        /// The concurrent callers, each with its steps.
        package var callers: [[Step]] = []
        /// The minimum duration in nanoseconds.
        package var length: Int64 = 0
        package var ending = Ending.close
        /// The time in nanoseconds after its end for which the process still holds its directory.
        ///
        /// It no longer runs, as if it were frozen before it is killed. The next process finds the directory in use.
        package var holdsDirectory: Int64 = 0
    }

    package var lives: [Life] = []
    /// The storage of all lives.
    package var storage = Storage.memory

    /// A place where events are stored.
    package enum Storage: String, Sendable, Hashable {
        /// In memory.
        ///
        /// Such a story has one life.
        case memory
        /// In SQLite on the simulated disk.
        case sqlite
    }

    /// The number of operations.
    package var count: Int { lives.reduce(0) { $0 + $1.callers.reduce(0) { $0 + $1.count } } }

    /// Creates the story of a seed.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - storage: The storage of all lives.
    package init(seed: UInt64, storage: Storage) {
        var random = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x5709)
        self.storage = storage
        for _ in 0..<(storage == .memory ? 1 : 1 + random.below(3)) {
            lives.append(Life(storage: storage, using: &random))
        }
        // The last life only delivers the remaining events.
        if storage == .sqlite { lives.append(Life()) } else { lives[0].ending = .close }
    }

    /// The same story without faults of the network, the disk or the clock, and without killed processes.
    package var withoutFaults: Story {
        var story = self
        for life in story.lives.indices {
            (story.lives[life].ending, story.lives[life].holdsDirectory) = (.close, 0)
            for caller in story.lives[life].callers.indices {
                story.lives[life].callers[caller].removeAll(where: \.operation.isFault)
            }
        }
        return story
    }
}

/// The settings of an engine in a simulation.
package struct Settings: Sendable, Equatable {
    package var capacity = 8_192
    package var budget = DeliveryBudget()
    package var sessionTimeout: Duration?
    package var quotas = TrackQuotas.none
    package var schedule = SendingSchedule.immediate
    package var defaultConsent = Consent.granted
    /// Whether the configuration contains a grant of each purpose.
    package var isGrantConfigured = false
    /// The time in nanoseconds before the app opens the engine.
    package var opensAfter: Int64 = 0

    /// Creates random settings, some of them with a low limit.
    init(using random: inout SeededGenerator) {
        defaultConsent = random.pick([.granted, .granted, .granted, .unknown, .denied], or: .granted)
        isGrantConfigured = random.happens(20)
        opensAfter = random.pick([0, 0, 20_000, 3_000_000, 2_000_000_000], or: 0)
        if random.happens(15) { capacity = 1 + random.below(40) }
        if random.happens(15) { budget.events = 1 + random.below(60) }
        if random.happens(10) { budget.bytes = 500 + random.below(20_000) }
        if random.happens(15) { budget.eventsAwaitingConsent = 1 + random.below(20) }
        if random.happens(20) { budget.quarantinedEvents = 1 + random.below(6) }
        if random.happens(10) { budget.quarantinedBytes = 100 + random.below(1_000) }
        if random.happens(15) { budget.age = .seconds(5 + random.below(100)) }
        if random.happens(20) { sessionTimeout = .milliseconds(500 + random.below(10_000)) }
        if random.happens(8) { quotas.eventsPerMinute = random.below(30) }
        if random.happens(15) {
            quotas.sampling = ["e0": 0.5, "e1": 0.5, "e2": random.happens(50) ? 0.2 : 1]
            quotas.samplingUnit = random.happens(50) ? .session : .installation
        }
        if random.happens(30) {
            schedule = SendingSchedule(interval: .milliseconds(random.below(8_000)), events: 1 + random.below(20))
        }
    }

    /// Creates the default settings.
    package init() {}

    /// The consent to each undecided purpose.
    var assumedConsent: Consent { isGrantConfigured ? .granted : defaultConsent }

    /// The reasons for which events may be dropped with these settings.
    var possibleLosses: Set<DropReason> {
        let usual = DeliveryBudget()
        var reasons: Set<DropReason> = [.droppedByReceiver, .discarded, .consentBudget, .quarantineFull]
        if capacity < 2_000 { reasons.insert(.bufferFull) }
        if budget.events != usual.events { reasons.insert(.countBudget) }
        if budget.bytes != usual.bytes { reasons.insert(.byteBudget) }
        if budget.age != usual.age { reasons.insert(.expired) }
        if quotas.eventsPerMinute != nil { reasons.insert(.rateCapped) }
        if !quotas.sampling.isEmpty { reasons.insert(.sampledOut) }
        return reasons
    }
}

extension Story.Life {
    /// Creates a life whose callers prefer some operations, which differ between lives (swarm testing).
    fileprivate init(storage: Story.Storage, using random: inout SeededGenerator) {
        if random.happens(60) { settings = Settings(using: &random) }
        let weights = (0..<Story.Maker.kinds).map { _ in random.pick([0, 1, 1, 6], or: 1) }
        var maker = Story.Maker(weights: weights, storage: storage, settings: settings, random: random)
        // In some lives, operations follow without pauses, and consent changes often.
        if maker.random.happens(12) { maker.hurry() }
        // Most lives are short. Some are long enough for waits to end.
        let scale = random.pick([1, 1, 1, 1, 30, 600], or: 1)
        for _ in 0..<(1 + random.below(4)) {
            let count = 1 + random.below(random.pick([4, 12, 25], or: 12))
            callers.append((0..<count).map { _ in maker.step(scale: scale) })
        }
        random = maker.random
        length = Int64(random.below(6_000_000_000)) * Int64(scale)
        ending = random.pick(Story.Ending.allCases, or: .kill)
        if ending == .kill, random.happens(40) {
            holdsDirectory = random.pick([50_000_000, 1_500_000_000, 40_000_000_000], or: 0)
        }
    }
}

extension Story {
    /// A generator of operations by their weights.
    fileprivate struct Maker {
        static let kinds = 24
        var weights: [Int]
        let storage: Storage
        let settings: Settings
        var random: SeededGenerator
        var isHurried = false

        /// Removes the pauses between operations, and adds many consent decisions.
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
            // About half of the operations track events.
            return Step(pause: Int64(pause), operation: random.happens(45) ? track() : other())
        }

        private mutating func track() -> Operation {
            let options = TrackOptions(
                durability: random.pick([.relaxed, .durable, .durable, .strict], or: .durable),
                priority: random.pick([.low, .normal, .normal, .normal, .high], or: .normal)
            )
            let lane = random.below(Lanes.count)
            let scope = random.happens(25) ? random.below(Scopes.count) : nil
            if random.happens(35) { return .trackForReceipt(lane: lane, options, scope: scope) }
            let payload: Operation.Payload = random.pick([.plain, .plain, .plain, .plain, .poison, .rule], or: .plain)
            let count = random.pick([1, 1, 1, 1, 2, 2, 5, 5, 12, 12, 30, 400], or: 1)
            return .track(lane: lane, count: payload == .plain ? count : min(count, 3), options, payload, scope: scope)
        }

        private mutating func other() -> Operation {
            let total = weights.reduce(0, +)
            guard total > 0 else { return .storeBuffered }
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
            case 4:
                guard random.happens(50) else { return .startSession }
                let scope = random.happens(50) ? random.below(Scopes.count) : nil
                return .showVariant(random.below(3), scope: scope)
            case 5: return .reset
            case 6, 7: return .flush(milliseconds: random.pick([0, 10, 500, 3_000, 60_000], or: 10))
            case 8: return .cancelledFlush(milliseconds: random.below(20_000))
            case 9, 10: return .storeBuffered
            case 11: return .resume
            case 12: return random.happens(50) ? .statistics : .explain
            case 13: return .audit
            case 14: return random.happens(60) ? .retryQuarantined : .discardQuarantined
            case 15: return random.happens(25) ? .close(milliseconds: random.below(3_000)) : .openAgain
            case 16: return .jump(seconds: Int64(random.pick([-100_000, -60, -1, 1, 60, 4_000, 100_000], or: 1)))
            case 17 where storage == .sqlite: return .disk(disk())
            case 18: return random.happens(70) ? .erase(user: random.below(Users.count)) : .eraseEverything
            case 19: return random.happens(40) ? .suspendStorage : .resumeStorage
            case 21: return .setQuotas(document: random.below(QuotasDocuments.all.count))
            case 22: return random.happens(60) ? .hold(lane: random.below(Lanes.count)) : .release
            case 20: return .freeze(milliseconds: random.pick([5, 300, 2_000, 90_000], or: 5))
            default: return .network(lane: random.below(Lanes.count), weather())
            }
        }

        private mutating func disk() -> DiskWeather {
            random.pick(
                [.fair, .full, .failingReads, .failingWrites, .failingSyncs, .unopenable, .slow, .filled],
                or: .fair
            )
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
                case 2: .lostAnswer
                case 3: .interrupted
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
