import CSimulation
import CoreTracker
import EventDelivery
import Foundation
import Locks

/// A simulated device with its network and disk, on which the processes of a story run one after another.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package final class World: Sendable {
    /// The outcome of a run.
    package struct Outcome: Sendable {
        package var violations: [Violation] = []
        package var hash: UInt64 = 0
        package var steps = 0
        /// The simulated time in seconds.
        package var seconds = 0.0
        package var coverage = Coverage()
        /// The log, if it was requested.
        package var log: [String] = []
    }

    let scheduler: Scheduler
    let oracle = Oracle()
    let network: SimulatedNetwork
    let offset = SimulatedClock.Offset()
    let story: Story
    /// The disk, or `nil` if events are kept in memory.
    let disk: SimulatedDisk?
    let supervisor: SimulatedProcess
    let engineChance: Chance
    private let coverage = Mutex(Coverage())
    private let lines = Mutex<[String]>([])
    private let isLogged: Bool
    private let isCovered: Bool
    private let isDone = Mutex(false)
    /// The ended process that still holds the directory.
    private let holder = Mutex<SimulatedProcess?>(nil)
    /// The number of power losses.
    let boot = Mutex(0)

    private init(seed: UInt64, story: Story, strategy: Scheduler.Strategy, isLogged: Bool, isCovered: Bool) {
        let scheduler = Scheduler(seed: seed, strategy: strategy)
        self.scheduler = scheduler
        self.story = story
        network = SimulatedNetwork(scheduler, oracle: oracle, seed: seed ^ 0x4E57)
        engineChance = Chance(seed: seed ^ 0xE461)
        disk = story.storage == .sqlite ? SimulatedDisk(scheduler, seed: seed ^ 0xD15C) : nil
        supervisor = scheduler.makeProcess()
        self.isLogged = isLogged
        self.isCovered = isCovered
        oracle.look { $0.isStored = story.storage == .sqlite }
    }

    /// Returns the default strategy for a seed.
    package static func strategy(of seed: UInt64) -> Scheduler.Strategy {
        switch seed % 4 {
        case 0: .firstCome
        case 1: .priorities(changes: 4, horizon: 3_000)
        default: .uniform
        }
    }

    /// Runs a story.
    ///
    /// The same arguments give the same outcome.
    ///
    /// The log and the coverage do not change the outcome. They only take time.
    ///
    /// - Parameters:
    ///   - seed: The seed of the schedule and of the network.
    ///   - story: The story.
    ///   - strategy: The way in which the next job is picked, or `nil` for the seed's default strategy.
    ///   - isLogged: Whether the outcome contains a log.
    ///   - isCovered: Whether the outcome contains the coverage.
    /// - Returns: The outcome.
    package static func run(
        seed: UInt64,
        story: Story,
        strategy: Scheduler.Strategy? = nil,
        isLogged: Bool = false,
        isCovered: Bool = true
    ) -> Outcome {
        let strategy = strategy ?? World.strategy(of: seed)
        return World(seed: seed, story: story, strategy: strategy, isLogged: isLogged, isCovered: isCovered).run()
    }

    private func run() -> Outcome {
        csimulation_watch_begin()
        Task(executorPreference: supervisor) {
            for (number, life) in self.story.lives.enumerated() {
                await Life(life, number: number, isLast: number == self.story.lives.count - 1, world: self).live()
            }
            self.isDone.withLock { $0 = true }
        }
        let ending = scheduler.run(limit: 4_000_000) { isDone.withLock { $0 } }
        if ending != .done { oracle.report(.noDeadlock, "\(ending)") }
        disk?.remove()
        let escaped = csimulation_watch_end()
        if escaped + scheduler.strangers > 0 { oracle.report(.noEscape, "\(escaped), \(scheduler.strangers)") }
        var outcome = Outcome(violations: oracle.violations, hash: scheduler.hash, steps: scheduler.steps)
        outcome.seconds = Double(scheduler.now) / 1e9
        outcome.coverage = coverage.withLock { $0 }
        outcome.log = lines.withLock { $0 }
        return outcome
    }

    /// Adds a line to the log, if the run has one.
    func log(_ text: @autoclosure () -> String) {
        guard isLogged else { return }
        let line = "\(String(format: "%12.6f", Double(scheduler.now) / 1e9)) s  \(text())"
        lines.withLock { $0.append(line) }
    }

    /// Counts an operation with the current faults.
    func cover(_ operation: Operation) {
        guard isCovered else { return }
        var faults: Set<String> = []
        for lane in 0..<Lanes.count { faults.insert(network.weather(of: lane).name) }
        oracle.look { state in
            if !state.isOpen { faults.insert("not open") }
            if state.isClosing { faults.insert("closing") }
            for words in state.words where words.last != .granted { faults.insert("\(words.last)") }
        }
        if let weather = disk?.weather, weather != .fair { faults.insert("disk \(weather)") }
        if offset.value != 0 { faults.insert("wrong clock") }
        if faults.count > 1 { faults.remove("fair") }
        coverage.withLock { $0.record(operation.name, faults) }
    }
}

/// The number of times that each operation coincided with each fault.
package struct Coverage: Sendable, Codable {
    package private(set) var counts: [String: [String: Int]] = [:]

    /// Creates an empty count.
    package init() {}

    mutating func record(_ operation: String, _ faults: Set<String>) {
        for fault in faults { counts[operation, default: [:]][fault, default: 0] += 1 }
    }

    /// Adds the counts of another run.
    package mutating func add(_ other: Coverage) {
        for (operation, faults) in other.counts {
            counts[operation, default: [:]].merge(faults, uniquingKeysWith: +)
        }
    }

    /// A table with a row for each operation and a column for each fault.
    package var table: String {
        let faults = Set(counts.values.flatMap(\.keys)).sorted()
        let head = "| operation | " + faults.joined(separator: " | ") + " |"
        let rows = counts.sorted { $0.key < $1.key }.map { operation, found in
            "| \(operation) | " + faults.map { "\(found[$0] ?? 0)" }.joined(separator: " | ") + " |"
        }
        return ([head, "|" + String(repeating: "---|", count: faults.count + 1)] + rows).joined(separator: "\n")
    }
}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension World {
    /// Whether an ended process still holds the directory.
    var isDirectoryHeld: Bool { holder.withLock { $0 != nil } }

    /// Lets an ended process hold the directory for a time.
    func holdDirectory(by process: SimulatedProcess, for nanoseconds: Int64) {
        holder.withLock { $0 = process }
        Task(executorPreference: supervisor) {
            await self.scheduler.pause(nanoseconds)
            if self.holder.withLock({ $0 === process }) { self.releaseDirectory() }
        }
    }

    /// Releases the directory held by an ended process.
    func releaseDirectory() {
        guard let process = holder.withLock({ $0.take() }) else { return }
        process.releaseLocks()
        disk?.close(process)
        let now = scheduler.now
        oracle.look { $0.freed(now: now) }
        log("the directory is free")
    }

    /// Returns the configuration of a life's engine.
    func configuration(of life: Life) -> DeliveryConfiguration {
        let settings = life.plan.settings
        var configuration = DeliveryConfiguration(
            directory: disk?.directory,
            destinations: (0..<Lanes.count).map(SimulatedDestination.init),
            transport: network,
            defaultConsent: settings.defaultConsent
        )
        configuration.schedule = settings.schedule
        configuration.budget = settings.budget
        configuration.consent = settings.isGrantConfigured ? [.analytics: .granted, .marketing: .granted] : [:]
        configuration.quotas = settings.quotas
        configuration.sessionTimeout = settings.sessionTimeout
        return configuration
    }
}

/// The lanes of each simulation.
enum Lanes {
    /// The purposes of the lanes.
    ///
    /// Two lanes share the first one.
    static let purposes: [ConsentPurpose] = [.analytics, .marketing]
    static let count = 3
    static let endpoints = (0..<count).map { URL(filePath: "/\($0)") }
    /// Returns a text in each event of a purpose, by which its bytes can be found in files.
    static func mark(of purpose: Int) -> String { purpose == 0 ? "CANARY-OF-ANALYTICS" : "CANARY-OF-MARKETING" }

    /// The texts for all purposes.
    static var marks: [String] { purposes.indices.map(mark) }

    static func purpose(of lane: Int) -> Int { lane == 1 ? 1 : 0 }
    static func isOrdered(_ lane: Int) -> Bool { lane != 1 }
    /// Whether a request of a lane has only the events of one user.
    static func isKeyed(_ lane: Int) -> Bool { lane != 0 }
    static func inFlight(of lane: Int) -> Int { isOrdered(lane) ? 1 : 3 }
}

/// The quotas documents of each simulation.
enum QuotasDocuments {
    /// The documents, of which the last one is malformed.
    static let all = [
        #"{"version": 1}"#,
        #"{"version": 1, "events": {"e1": {"off": true}}}"#,
        #"{"version": 1, "events": {"e1": {"off": true}, "e2": {"sample": 0.5}}, "lanes": {"S/2": {"perMinute": 9}}}"#,
        #"{"version": 1, "events": {"e1": {"off": true}, "e2": {"off": 1}}}"#,
    ]

    static func isMalformed(_ number: Int) -> Bool { number == all.count - 1 }

    /// Returns whether a document switches an event off.
    static func switchesOff(_ event: Int, in number: Int) -> Bool { event % 3 == 1 && [1, 2].contains(number) }
}

/// The users of each simulation.
enum Users {
    static let count = 3

    /// Returns a user id whose bytes can be found in files.
    static func id(_ number: Int) -> String { "USER-\(number)-OF-THE-DEVICE" }
}

/// The scopes of each simulation: each user has one in the engine's session, and one with its own session.
enum Scopes {
    static let count = 2 * Users.count

    static func user(of scope: Int) -> String { Users.id(scope % Users.count) }
    static func session(of scope: Int) -> String? { scope < Users.count ? nil : "SESSION-OF-SCOPE-\(scope)" }
}

/// An event as encoded in a body.
struct Line: Sendable {
    let number: Int
    let user: String
    let session: String
    let device: String
    let sequence: String
    let id: String

    private init?(_ fields: [String]) {
        guard fields.count == 7, fields[6].hasPrefix("CANARY-"), let number = Int(fields[0]), number >= 0
        else { return nil }
        self.number = number
        user = fields[1] == "-" ? "" : fields[1]
        (session, device, sequence, id) = (fields[2], fields[3], fields[4], fields[5])
    }

    /// Returns the lines of a body, with `nil` for each line that differs from its encoding.
    static func lines(of body: [UInt8]) -> [Line?] {
        var (lines, fields, field): ([Line?], [String], [UInt8]) = ([], [], [])
        for byte in body {
            switch byte {
            case UInt8(ascii: "\""): break
            case UInt8(ascii: " "), UInt8(ascii: "\n"):
                fields.append(String(decoding: field, as: UTF8.self))
                field.removeAll(keepingCapacity: true)
                guard byte == UInt8(ascii: "\n") else { continue }
                lines.append(Line(fields))
                fields.removeAll(keepingCapacity: true)
            default: field.append(byte)
            }
        }
        return lines
    }
}
