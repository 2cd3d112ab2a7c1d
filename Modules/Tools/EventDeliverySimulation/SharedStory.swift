import CoreTracker
import EventDelivery
import EventDeliveryTesting

/// A story of processes that share a directory, such as an app and its extensions, as the seed determines it before the
/// run.
struct SharedStory: Sendable {
    /// A process from its start to its end.
    struct Life: Sendable {
        /// The time in nanoseconds between the end of the program's previous process, or the beginning, and this
        /// process's start.
        var pause: Int64
        var steps: [Story.Step]
        /// Whether it is killed at the end instead of closing its engine.
        var isKilled: Bool
    }

    /// The programs, which run concurrently.
    ///
    /// The processes of each run one after another.
    var programs: [[Life]] = []
    /// The final decision of one process while another process is running.
    var lastWord: Consent

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x5A4E)
        lastWord = random.pick([.granted, .denied, .denied, .unknown], or: .denied)
        let scale = random.pick([1, 1, 20], or: 1)
        for _ in 0..<random.pick([2, 2, 3], or: 2) {
            programs.append(
                (0..<(1 + random.below(3))).map { _ in
                    Life(
                        pause: Int64(random.below(30_000_000) * scale),
                        steps: (0..<(2 + random.below(18))).map { _ in SharedStory.step(scale, &random) },
                        isKilled: random.happens(50)
                    )
                }
            )
        }
    }

    private static func step(_ scale: Int, _ random: inout SeededGenerator) -> Story.Step {
        let pause = random.below(random.pick([20_000, 500_000, 20_000_000, 20_000_000], or: 1) * scale)
        return Story.Step(pause: Int64(pause), operation: operation(&random))
    }

    private static func operation(_ random: inout SeededGenerator) -> Operation {
        let purpose = random.below(Lanes.purposes.count)
        switch random.below(100) {
        case ..<38:
            let options = TrackOptions(durability: random.pick([.relaxed, .durable, .strict], or: .durable))
            return .track(lane: purpose, count: random.pick([1, 2, 5], or: 1), options, .plain)
        case ..<58:
            return .setConsent(random.pick([.granted, .granted, .denied, .unknown], or: .denied), purpose: purpose)
        case ..<66: return random.happens(75) ? .erase(user: random.below(2)) : .eraseEverything
        case ..<74: return random.happens(80) ? .identify(user: random.below(2)) : .clearUser
        case ..<88: return .flush(milliseconds: random.pick([10, 500, 60_000], or: 500))
        case ..<95: return .persist
        default: return random.happens(50) ? .suspendStorage : .resumeStorage
        }
    }
}
