import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventOutbox
import Foundation

/// A fuzzer of the files in the outbox directory and of HTTP headers that contain a time.
///
/// Files have valid checksums and arbitrary contents, are damaged, or are replaced by something else.
struct FileCases {
    private let seed: UInt64
    private let sound: TemporaryQueue

    /// Creates the valid files with which each case starts.
    init(seed: UInt64) throws {
        self.seed = seed
        sound = try TemporaryQueue()
        let outbox = try sound.outbox()
        try outbox.commit(CraftedQueue.sound(), barrier: true)
        outbox.close()
        DurabilityCheckpoint(CraftedQueue.sound().savedLanes, number: 6).write(queue: sound.path)
    }

    /// Runs cases in this process and prints the number of each.
    func run(_ options: FuzzOptions, until end: ContinuousClock.Instant) async throws {
        let last = options.cases.map { options.first + $0 } ?? .max
        var number = options.first
        while number < last, options.cases != nil || .now < end {
            printProgress(number)
            try await run(number)
            number += 1
        }
    }

    private func printProgress(_ number: UInt64) {
        FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }

    /// Runs one case.
    ///
    /// If the library refuses the input, this is not an error.
    private func run(_ number: UInt64) async throws {
        // Reading changes files, so the engine needs its own set. Create it again, because copying a pipe would block.
        let (first, second) = (try crafted(number), try crafted(number))
        var values = CraftedValues(seed: seed, number: ~number)
        // Restart the case's clock, because creating the files does not count.
        printProgress(number)
        read(first.url)
        await deliver(second, &values)
        readHeaders(&values)
    }

    private func crafted(_ number: UInt64) throws -> TemporaryQueue {
        var values = CraftedValues(seed: seed, number: number)
        let queue = try sound.copy()
        try craft(queue, &values)
        return queue
    }

    private func craft(_ queue: TemporaryQueue, _ values: inout CraftedValues) throws {
        let path = queue.path
        switch Int.random(in: 0..<4, using: &values.random) {
        case 0:
            let outbox = try SQLiteOutbox(path: path)
            try? outbox.commit(CraftedQueue.crafted(&values), barrier: false)
            outbox.close()
        case 1: CraftedQueue.run(CraftedQueue.statement(&values), on: path)
        case 2: try damage(path, &values)
        default: break
        }
        if values.happens(oneIn: 3) {
            let number = UInt64(bitPattern: values.integer())
            DurabilityCheckpoint(CraftedQueue.crafted(&values).savedLanes, number: number).write(queue: path)
        }
        let names = [
            "quotas", "lock", "queue.db.checkpoint", "queue.db-wal", "queue.db.reserve", "queue.db.next",
            "queue.db-journal", "corrupt-1-queue.db",
        ]
        let name = queue.url.appending(path: values.pick(names)).path
        if values.happens(oneIn: 3) { try damage(name, &values) }
        if values.happens(oneIn: 6) { replace(name, &values) }
    }

    private func damage(_ path: String, _ values: inout CraftedValues) throws {
        var bytes = FileManager.default.contents(atPath: path).map(Array.init) ?? []
        for _ in 0..<Int.random(in: 1...3, using: &values.random) { values.damage(&bytes) }
        try Data(bytes).write(to: URL(filePath: path))
    }

    /// Replaces a file by a pipe, a link or a directory.
    private func replace(_ path: String, _ values: inout CraftedValues) {
        try? FileManager.default.removeItem(atPath: path)
        switch Int.random(in: 0..<3, using: &values.random) {
        case 0: _ = unsafe mkfifo(path, 0o600)
        case 1: try? FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
        default: try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
    }

    /// Reads everything, as an opening engine does.
    private func read(_ url: URL) {
        guard let directory = try? OutboxDirectory(url), let lock = try? directory.lock() else { return }
        defer { lock.release() }
        try? OutboxReplacement.complete(in: directory)
        // SQLite would wait for the other end of a pipe.
        guard (try? directory.moveStraysAside()) != nil else { return }
        let checkpoint = DurabilityCheckpoint(queue: directory.queue)
        if let file = try? SQLiteOutbox(path: directory.queue) {
            if let rows = try? OutboxRows(of: file, completedBy: checkpoint) {
                _ = try? Outbox(file).writeReplacement(in: directory, rows: rows)
            }
            file.close()
        }
        if let salvage = try? SQLiteSalvage(path: directory.queue),
            let rows = try? salvage.rows(completedBy: checkpoint)
        {
            _ = try? OutboxReplacement.write(in: directory, rows: rows) { add throws(OutboxError) in
                try salvage.forEachSegment(add)
            }
        }
        _ = try? directory.trimSetAside(now: Timestamp(microseconds: 0))
    }

    /// Runs an engine on the files, and sets consent and erases a user.
    private func deliver(_ queue: TemporaryQueue, _ values: inout CraftedValues) async {
        let engine = DeliveryEngine()
        let destination = LineDestination()
        var configuration = DeliveryConfiguration(
            directory: queue.url,
            destinations: [destination],
            transport: ScriptedTransport()
        )
        configuration.log = .off
        if values.happens(oneIn: 3) { configuration.consent = [.analytics: values.pick(Consent.allCases)] }
        try? await engine.open(configuration)
        engine.lane(destination.lane).track("fresh", parameters: [:])
        _ = await engine.flush(timeout: .milliseconds(300))
        for consent in [Consent.denied, .granted] where values.happens(oneIn: 3) {
            try? await engine.setConsent(consent, for: .analytics)
        }
        if values.happens(oneIn: 4) { _ = try? await engine.erase(user: "somebody") }
        if values.happens(oneIn: 6) { _ = try? await engine.eraseEverything() }
        _ = await engine.statistics()
        await engine.close(timeout: .zero)
    }

    private func readHeaders(_ values: inout CraftedValues) {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        for _ in 0..<20 {
            let texts = (0..<2).map { _ in values.happens(oneIn: 3) ? values.text() : values.renumber(date) }
            let response = HTTPResponse(status: 503, headers: ["retry-after": texts[0], "date": texts[1]])
            _ = RetryAfter.wait(in: response)
            _ = RetryAfter.wait(in: response, untilEpochSecondOf: "date")
            _ = Timestamp(httpDate: texts[0])?.milliseconds
        }
    }
}
