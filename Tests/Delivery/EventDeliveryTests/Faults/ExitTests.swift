#if os(Linux)
import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Testing

/// Tests of processes that call `exit` while the first request's thread sets up libcurl and OpenSSL.
///
/// A long OpenSSL configuration stretches the set-up to some 15 ms. The exits are spread over this time. The
/// environment variable `EXITS` sets the number of processes for each test.
@Suite(.timeLimit(.minutes(30))) struct ExitTests {
    private static let count = ProcessInfo.processInfo.environment["EXITS"].flatMap(Int.init) ?? 40
    private static let longestTime = 16_000
    private let receiver: LoopbackCollector
    private var address: String { "https://127.0.0.1:\(receiver.port)" }

    init() throws {
        receiver = try LoopbackCollector(script: .accept.opening { .neverRespond })
    }

    @Test func `a process that exits during its first request ends with its own status`() async throws {
        let ends = try await ends([])

        #expect(ends == [.code(0): Self.count])
    }

    @Test func `a process that exits during the last report to an inspector ends with its own status`() async throws {
        let ends = try await ends(["--inspect", "\(address)/?token=a"])

        #expect(ends == [.code(0): Self.count])
    }

    /// Starts processes that exit at times spread over the set-up, and counts how they end.
    private func ends(_ arguments: [String]) async throws -> [ChildProcess.End: Int] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "exit-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = folder.appending(path: "openssl.cnf")
        let names = (1...3_000).map { "name\($0) = 1.3.6.1.4.1.99999.\($0)" }.joined(separator: "\n")
        let text = "openssl_conf = start\n[start]\noid_section = names\n[names]\n\(names)\n"
        try Data(text.utf8).write(to: configuration)
        let producer = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "DeliveryProducer")
        var ends: [ChildProcess.End: Int] = [:]
        for number in 0..<Self.count {
            let queue = folder.appending(path: "\(number)")
            let time = Self.longestTime * number / Self.count
            let process = try ChildProcess(
                executable: URL(filePath: "/usr/bin/env"),
                arguments: ["OPENSSL_CONF=\(configuration.path)", producer.path, "--queue", queue.path]
                    + ["--endpoint", address, "--exit-after", "\(time)"] + arguments
            )
            ends[await process.ended(), default: 0] += 1
        }
        return ends
    }
}
#endif
