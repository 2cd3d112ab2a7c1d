#if os(Linux)
import EventDeliveryTesting
import Foundation
import Testing

/// A small separate disk, which only root can mount.
final class SmallDisk: Sendable {
    /// The directory in which the disk is mounted.
    private let place: URL
    /// The directory of an engine on the disk.
    var queue: URL { place.appending(path: "queue") }
    private var filler: URL { place.appending(path: "filler") }

    /// Whether this process can mount a disk.
    static let isPossible = geteuid() == 0 && (try? SmallDisk(megabytes: 1)) != nil

    /// Mounts a disk.
    ///
    /// - Parameters:
    ///   - megabytes: The size.
    ///   - files: The maximum number of files.
    init(megabytes: Int, files: Int = 10_000) throws {
        place = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let options = "size=\(megabytes)m,nr_inodes=\(files),mode=0700"
        guard SmallDisk.run("mount", "-t", "tmpfs", "-o", options, "none", place.path) else { throw POSIXError(.EPERM) }
    }

    deinit {
        _ = SmallDisk.run("umount", "-l", place.path)
        try? FileManager.default.removeItem(at: place)
    }

    /// Uses all space for another file.
    func fill() throws {
        let file = try FileDescriptorFile(filler.path)
        for size in [65_536, 4_096, 1] { while file.append(size) {} }
    }

    /// Uses all files, but not all space.
    func useAllFiles() throws {
        try FileManager.default.createDirectory(at: filler, withIntermediateDirectories: true)
        var count = 0
        while FileManager.default.createFile(atPath: filler.appending(path: "\(count)").path, contents: nil) {
            count += 1
        }
    }

    /// Frees the space and the files.
    func free() throws { try FileManager.default.removeItem(at: filler) }

    /// Returns a copy of the engine's directory on another disk, as a kill would leave it.
    func copy() throws -> TemporaryQueue { try TemporaryQueue(copying: queue) }

    private static func run(_ command: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

/// A file that grows until its disk is full.
private final class FileDescriptorFile {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    func append(_ count: Int) -> Bool {
        let bytes = [UInt8](repeating: 1, count: count)
        return unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) } == count
    }
}
#endif
