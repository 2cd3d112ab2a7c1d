import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation

/// A test round in which one engine uses a queue and another one waits for it, on a full disk.
///
/// One purpose is denied and a user is erased. When space is available again, no file may contain events of either.
struct HostileRound {
    /// The number of files that contained a payload of the denied purpose or the erased user at the end.
    private(set) var leftBytes = 0
    /// Whether the disk was full during the denial.
    private(set) var wasFull = false

    private static let events = 500
    private static let megabytes = 48
    private let directory: URL
    private let refused = LineDestination(lane: LaneID(product: "H", service: "refused"), purpose: .marketing)
    private let kept = LineDestination(lane: LaneID(product: "H", service: "kept"))

    /// Runs a round.
    ///
    /// The directory is a small separate disk if the process runs as root, because only root can mount one.
    static func run() async throws -> HostileRound {
        let directory = FileManager.default.temporaryDirectory.appending(path: "soak-hostile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let isMounted = call("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=0700", "none", directory.path)
        defer {
            if isMounted { _ = call("umount", "-l", directory.path) }
            try? FileManager.default.removeItem(at: directory)
        }
        var round = HostileRound(directory: directory.appending(path: "queue"))
        try await round.leaveEvents()
        try await round.refuseAndErase(fills: isMounted)
        return round
    }

    private init(directory: URL) {
        self.directory = directory
    }

    /// Stores events as an earlier run.
    private func leaveEvents() async throws {
        let engine = try await open()
        for _ in 1...HostileRound.events { track(by: engine) }
        await engine.close(timeout: .zero)
    }

    /// Denies a purpose with one engine, and erases a user with another, while the disk is full.
    private mutating func refuseAndErase(fills: Bool) async throws {
        let (first, second) = (try await open(), try await open())
        for engine in [first, second] { track(by: engine) }
        for engine in [first, second] { await engine.storeBuffered() }
        let filler = directory.deletingLastPathComponent().appending(path: "filler")
        if fills { wasFull = try HostileRound.fill(filler) }
        // Both may throw: some deletions stay pending, and the second engine waits for the directory.
        do { try await first.setConsent(.denied, for: .marketing) } catch {}
        do { try await second.erase(user: "CANARY-user") } catch {}
        try? FileManager.default.removeItem(at: filler)
        for engine in [first, second] {
            _ = await engine.flush(timeout: .milliseconds(1_200))
            await engine.close(timeout: .seconds(2))
        }
        // The next start completes the pending deletions.
        let last = try await open()
        _ = await last.flush(timeout: .milliseconds(200))
        leftBytes = try TemporaryQueue.files(in: directory, containing: "CANARY").count
        await last.close(timeout: .zero)
    }

    private func open() async throws -> DeliveryEngine {
        let engine = DeliveryEngine()
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: [refused, kept],
            transport: ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        )
        configuration.log = .off
        try await engine.open(configuration)
        return engine
    }

    private func track(by engine: DeliveryEngine) {
        engine.user.identify("CANARY-user")
        engine.lane(kept.lane).track("seen", parameters: [:])
        engine.user.identify("another")
        engine.lane(kept.lane).track("seen", parameters: [:])
        engine.lane(refused.lane).track("seen", parameters: ["of": "CANARY-refused"])
    }

    /// Fills the disk.
    ///
    /// Returns whether it is full.
    static func fill(_ file: URL) throws -> Bool {
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        for size in [65_536, 4_096] {
            for _ in 0...(megabytes * 1_048_576 / size) {
                do { try handle.write(contentsOf: Data(count: size)) } catch { break }
            }
        }
        return (try? handle.write(contentsOf: Data(count: 4_096))) == nil
    }

    /// Runs a command.
    ///
    /// Returns whether it has succeeded.
    static func call(_ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
