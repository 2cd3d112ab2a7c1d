import CSimulation
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks

/// A simulated device on which several processes open one directory at the same time, on a disk that does not fail.
///
/// One process uses the directory, and the others wait until it is free. A waiting process sends and loses no events.
/// Events denied or erased in one process are not sent by another process that has used the directory since. No other
/// events are lost, even if a process is killed.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package final class SharedWorld: Sendable {
    let scheduler: Scheduler
    let disk: SimulatedDisk
    let oracle = SharedOracle()
    let chance: Chance
    private let story: SharedStory
    private let isLogged: Bool
    private let lines = Mutex<[String]>([])
    private let isDone = Mutex(false)

    private init(seed: UInt64, isLogged: Bool) {
        scheduler = Scheduler(seed: seed, strategy: World.strategy(of: seed))
        disk = SimulatedDisk(scheduler, seed: seed ^ 0xD15C)
        chance = Chance(seed: seed ^ 0xE461)
        story = SharedStory(seed: seed)
        self.isLogged = isLogged
    }

    /// Runs the story of a seed.
    ///
    /// The same seed gives the same outcome.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - isLogged: Whether the outcome contains a log.
    /// - Returns: The outcome.
    package static func run(seed: UInt64, isLogged: Bool = false) -> World.Outcome {
        SharedWorld(seed: seed, isLogged: isLogged).run()
    }

    private func run() -> World.Outcome {
        csimulation_watch_begin()
        let supervisor = scheduler.makeProcess()
        Task(executorPreference: supervisor) {
            await withTaskGroup { group in
                for lives in self.story.programs {
                    group.addTask(executorPreference: supervisor) {
                        for life in lives {
                            await self.scheduler.pause(life.pause)
                            await SharedLife(in: self).live(life)
                        }
                    }
                }
            }
            await self.settle()
            self.isDone.withLock { $0 = true }
        }
        let ending = scheduler.run(limit: 1_000_000) { isDone.withLock { $0 } }
        if ending != .done { oracle.report(.noDeadlock, "\(ending)") }
        disk.remove()
        let escaped = csimulation_watch_end()
        if escaped + scheduler.strangers > 0 { oracle.report(.noEscape, "\(escaped), \(scheduler.strangers)") }
        var outcome = World.Outcome(violations: oracle.violations, hash: scheduler.hash, steps: scheduler.steps)
        outcome.seconds = Double(scheduler.now) / 1e9
        outcome.log = lines.withLock { $0 }
        return outcome
    }

    /// Ends the run: one process makes a decision, and another one, which waits for the directory, delivers all
    /// remaining events.
    private func settle() async {
        log("the end")
        let (speaker, listener) = (SharedLife(in: self), SharedLife(in: self))
        for life in [speaker, listener] { await life.open() }
        for purpose in Lanes.purposes.indices { listener.track(purpose, TrackOptions()) }
        for purpose in Lanes.purposes.indices {
            await speaker.run("setConsent") { await speaker.setConsent(self.story.lastWord, purpose) }
        }
        await speaker.close()
        await listener.run("flush") { await listener.flush(60_000) }
        for purpose in Lanes.purposes.indices {
            let isDenied = listener.engine.lane(SharedDestination(purposeNumber: purpose).lane).isConsentDenied
            guard isDenied != (story.lastWord == .denied) else { continue }
            oracle.report(.consentShared, "\(story.lastWord) about purpose \(purpose)")
        }
        for purpose in Lanes.purposes.indices {
            await listener.run("setConsent") { await listener.setConsent(.granted, purpose) }
        }
        await listener.run("flush") { await listener.flush(60_000) }
        for purpose in Lanes.purposes.indices { listener.track(purpose, TrackOptions()) }
        let isDrained = Mutex(false)
        await listener.run("flush") {
            for _ in 0..<20 where !isDrained.withLock({ $0 }) {
                await listener.engine.resume()
                let hasDrained = await listener.flush(60_000)
                isDrained.withLock { $0 = hasDrained }
            }
        }
        if !isDrained.withLock({ $0 }) { oracle.report(.liveness, "process \(listener.number) is not drained") }
        do {
            try await LedgerCheck.check(listener.engine)
        } catch {
            oracle.report(.ledgerBalance, "\(error)")
        }
        await listener.close()
        oracle.look { $0.account() }
    }

    /// Ends a process.
    ///
    /// None of its jobs runs any more, and the system closes its files.
    func end(_ process: SimulatedProcess) {
        scheduler.kill(process)
        disk.close(process)
        process.releaseLocks()
    }

    /// Returns the configuration of a process's engine.
    func configuration(of life: Int) -> DeliveryConfiguration {
        DeliveryConfiguration(
            directory: disk.directory,
            destinations: Lanes.purposes.indices.map(SharedDestination.init),
            transport: SharedNetwork(world: self, life: life)
        )
    }

    /// The events whose bytes are in any file.
    var eventsOnDisk: Set<Int> {
        var found: Set<Int> = []
        for bytes in disk.contents.values { found.formUnion(SharedDestination.numbers(in: bytes)) }
        return found
    }

    /// Adds a line to the log, if the run has one.
    func log(_ text: @autoclosure () -> String) {
        guard isLogged else { return }
        let line = "\(String(format: "%12.6f", Double(scheduler.now) / 1e9)) s  \(text())"
        lines.withLock { $0.append(line) }
    }
}

/// The network of a process.
///
/// The receivers accept all events.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
private struct SharedNetwork: Transport {
    let world: SharedWorld
    let life: Int

    func send(_ request: HTTPRequest, deadline: Duration) async throws(TransportError) -> HTTPResponse {
        let purpose = request.url.path.last.flatMap(\.wholeNumberValue) ?? 0
        world.scheduler.mix(request.body)
        let (numbers, now) = (SharedDestination.numbers(in: request.body), world.scheduler.now)
        world.oracle.look { $0.send(numbers, purpose: purpose, by: life, now: now) }
        world.log("process \(life) sends \(numbers)")
        do {
            try await world.scheduler.sleep(until: now + Int64(world.chance.below(20_000_000)))
            world.oracle.look { $0.arrive(numbers) }
            try await world.scheduler.sleep(until: world.scheduler.now + Int64(world.chance.below(20_000_000)))
        } catch {
            world.log("process \(life) calls \(numbers) back")
            throw .cancelled
        }
        world.oracle.look { $0.acknowledge(numbers, to: life, since: now) }
        world.log("process \(life) has sent \(numbers)")
        return HTTPResponse(status: 200)
    }
}

/// A destination for a purpose, whose events can be found in files by their bytes.
struct SharedDestination: Destination {
    let purposeNumber: Int

    var lane: LaneID { LaneID(product: "S", service: "\(purposeNumber)") }
    var purpose: ConsentPurpose { Lanes.purposes[purposeNumber] }
    var limits: BatchLimits { BatchLimits(events: 20, bodyBytes: 20_000, framingBytes: 10) }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        guard case .int(let number)? = event.parameters["n"] else { throw EventEncodingError(rule: "simulated") }
        encoder.json.string("EVENT-\(number).")
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest {
        HTTPRequest(url: Lanes.endpoints[purposeNumber], headers: [], body: batch.events.flatMap(\.fragment))
    }

    /// Returns the numbers of the events whose bytes are in a body or a file.
    static func numbers(in bytes: [UInt8]) -> [Int] {
        let mark = Array("EVENT-".utf8)
        var (numbers, position): ([Int], Int) = ([], 0)
        while let start = bytes[position...].firstIndex(of: mark[0]) {
            position = start + 1
            guard bytes[start...].starts(with: mark) else { continue }
            let digits = bytes[(start + mark.count)...].prefix { (0x30...0x39).contains($0) }
            guard bytes.indices.contains(digits.endIndex), bytes[digits.endIndex] == UInt8(ascii: ".") else { continue }
            if let number = Int(String(decoding: digits, as: UTF8.self)) { numbers.append(number) }
        }
        return numbers
    }
}
