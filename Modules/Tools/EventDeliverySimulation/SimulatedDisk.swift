import CSQLite
import CSimulation
import EventOutbox
import Foundation
import Locks

/// The disk of a simulated device.
///
/// It consists of real files. SQLite's writes can fail, or be lost before their sync.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
final class SimulatedDisk: Sendable {
    /// The state of the disk, including the planned end of a process during an access.
    private struct State: Sendable {
        var weather = DiskWeather.fair
        /// The space in bytes that files can use while the disk is filled.
        var capacity = Int.max
        /// Whether the disk was filled while there was a disk reserve, and nothing else has failed since.
        var isReserved = false
        /// The number of writes and syncs before the process ends, or `nil` if it does not end during one.
        var accessesLeft: Int?
        var process: SimulatedProcess?
        /// The contents of the files at the time after which nothing reaches the disk.
        var frozen: [String: [UInt8]]?
    }

    /// The directory of the files.
    let directory: URL
    private let scheduler: Scheduler
    private let chance: Chance
    private let state = Mutex(State())

    /// Creates an empty disk.
    ///
    /// There is one disk at a time on each thread.
    init(_ scheduler: Scheduler, seed: UInt64) {
        self.scheduler = scheduler
        chance = Chance(seed: seed)
        let memory = URL(filePath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let root = isThere ? memory : FileManager.default.temporaryDirectory
        directory = root.appending(path: "simulation-\(UUID().uuidString)")
        csimulation_disk_begin(
            directory.path,
            Unmanaged.passUnretained(self).toOpaque(),
            { context, operation, growth in
                guard let context else { return SQLITE_OK }
                return Unmanaged<SimulatedDisk>.fromOpaque(context).takeUnretainedValue().access(operation, growth)
            },
            { context in
                guard let context else { return 0 }
                return Unmanaged<SimulatedDisk>.fromOpaque(context).takeUnretainedValue().chance.next()
            }
        )
    }

    /// Deletes all files.
    func remove() {
        csimulation_disk_end()
        try? FileManager.default.removeItem(at: directory)
    }

    var weather: DiskWeather {
        get { state.withLock { $0.weather } }
        set {
            let used = newValue == .filled ? use : (bytes: .max, isReserved: false)
            state.withLock { ($0.weather, $0.capacity, $0.isReserved) = (newValue, used.bytes, used.isReserved) }
            scheduler.stall(upTo: newValue == .slow ? 20_000_000_000 : 0)
        }
    }

    /// Whether the disk is full, and a decision must find the space of the disk reserve.
    var isReserved: Bool { state.withLock { $0.isReserved } }

    /// The size of all files in bytes, and whether there is a disk reserve.
    private var use: (bytes: Int, isReserved: Bool) {
        csimulation_disk_pause()
        defer { csimulation_disk_continue() }
        return names.reduce((0, false)) { sum, name in
            let file = try? FileManager.default.attributesOfItem(atPath: directory.appending(path: name).path)
            let size = file?[.size] as? Int ?? 0
            // A power loss can leave a shorter file. It does not count as a reserve.
            return (sum.0 + size, sum.1 || name.hasSuffix(".reserve") && size >= DiskReserve.bytes)
        }
    }

    /// Ends a process during one of its next accesses.
    func end(_ process: SimulatedProcess, afterAccesses count: Int) {
        state.withLock { state in
            state.accessesLeft = count
            state.process = process
        }
    }

    /// Closes the files of an ended process while others run.
    func close(_ process: SimulatedProcess) { csimulation_disk_close(Int32(process.number)) }

    /// Restores the files after a process has ended: the state of the operating system, or after a power loss the state
    /// of the disk.
    func end(_ process: SimulatedProcess, by ending: Story.Ending) {
        close(process)
        let frozen = state.withLock { state in
            defer { (state.accessesLeft, state.frozen) = (nil, nil) }
            return state.frozen
        }
        if let frozen { restore(frozen) }
        csimulation_disk_thaw()
        guard ending == .powerLoss else { return }
        csimulation_disk_power_loss()
        // The disk reserve may be lost, too.
        state.withLock { $0.isReserved = false }
    }

    /// Reverts all changes of files after the time at which nothing reached the disk any more.
    private func restore(_ frozen: [String: [UInt8]]) {
        let now = contents
        csimulation_disk_pause()
        defer { csimulation_disk_continue() }
        for name in now.keys where frozen[name] == nil { unlink(directory.appending(path: name).path) }
        for (name, bytes) in frozen where now[name] != bytes {
            let path = directory.appending(path: name).path
            let isThere = FileManager.default.createFile(
                atPath: path,
                contents: Data(bytes),
                attributes: [.posixPermissions: 0o600]
            )
            if isThere, let size = reserve(name, bytes) { truncate(path, off_t(size)) }
        }
    }

    /// Returns the size of a disk reserve, which is its entry in ``contents``.
    private func reserve(_ name: String, _ bytes: [UInt8]) -> Int? {
        name.hasSuffix(".reserve") ? Int(String(decoding: bytes, as: UTF8.self)) : nil
    }

    /// Returns the names of the files that contain a text.
    func files(with text: String) -> [String] {
        csimulation_disk_pause()
        defer { csimulation_disk_continue() }
        let bytes = Data(text.utf8)
        return names.filter { name in
            guard !name.hasSuffix(".reserve") else { return false }
            let data = try? Data(contentsOf: directory.appending(path: name))
            return data?.range(of: bytes) != nil
        }
    }

    /// The contents of each file, or the size of the disk reserve.
    var contents: [String: [UInt8]] {
        csimulation_disk_pause()
        defer { csimulation_disk_continue() }
        let files = names.compactMap { name in
            (try? Data(contentsOf: directory.appending(path: name))).map {
                (name, name.hasSuffix(".reserve") ? Array("\($0.count)".utf8) : Array($0))
            }
        }
        return Dictionary(uniqueKeysWithValues: files)
    }

    private var names: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: directory.path)) ?? []).sorted()
    }

    private func access(_ operation: Int32, _ growth: Int64) -> Int32 {
        let kind = Int(operation)
        if kind == CSIMULATION_OPEN { csimulation_disk_open_by(Int32(scheduler.runningProcess)) }
        let isChange = kind == CSIMULATION_WRITE || kind == CSIMULATION_SYNC || kind == CSIMULATION_TRUNCATE
        let (weather, isEnd, process) = state.withLock { state in
            if isChange, let left = state.accessesLeft { state.accessesLeft = left - 1 }
            return (state.weather, isChange && state.accessesLeft == 0, state.process)
        }
        if isEnd, let process {
            csimulation_disk_freeze()
            let files = contents
            state.withLock { $0.frozen = files }
            scheduler.killAfterStep(process)
        }
        switch kind {
        case CSIMULATION_SYNC: scheduler.block(for: Int64(chance.below(4_000_000)))
        case CSIMULATION_WRITE: scheduler.block(for: Int64(chance.below(40_000)))
        default: scheduler.block(for: Int64(chance.below(10_000)))
        }
        return result(of: kind, growth: Int(growth), in: weather)
    }

    private func result(of kind: Int, growth: Int, in weather: DiskWeather) -> Int32 {
        if weather == .filled {
            let isFull = growth > 0 && use.bytes + growth > state.withLock { $0.capacity }
            return isFull ? SQLITE_FULL : SQLITE_OK
        }
        guard weather != .fair, chance.happens(50) else { return SQLITE_OK }
        switch (weather, kind) {
        case (.full, CSIMULATION_WRITE): return SQLITE_FULL
        case (.failingReads, CSIMULATION_READ): return SQLITE_IOERR | 1 << 8
        case (.failingWrites, CSIMULATION_WRITE): return SQLITE_IOERR | 3 << 8
        case (.failingSyncs, CSIMULATION_SYNC): return SQLITE_IOERR | 4 << 8
        case (.unopenable, CSIMULATION_OPEN): return SQLITE_CANTOPEN
        default: break
        }
        return SQLITE_OK
    }
}
