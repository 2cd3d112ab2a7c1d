import Foundation

/// A program that combines random faults of processes, receiver and consent, and prints a scorecard at the end.
@main
struct DeliverySoak {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.contains("--help") || arguments.contains("-h") {
            return print(SoakOptions.usage, terminator: "")
        }
        guard let options = SoakOptions(arguments) else {
            FileHandle.standardError.write(Data(SoakOptions.usage.utf8))
            exit(64)
        }
        let directory = FileManager.default.temporaryDirectory.appending(path: "soak-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        print("soak of \(options.minutes) minutes, seed \(options.seed)")
        var run = try SoakRun(options: options, directory: directory)
        let end = ContinuousClock.now + .seconds(options.minutes * 60)
        try await run.makeFaults(until: end) { scorecard in
            guard isatty(2) == 1 else { return }
            let text = "\r\(scorecard.kills) kills, \(scorecard.receipts.count) receipts "
            FileHandle.standardError.write(Data(text.utf8))
        }
        if isatty(2) == 1 { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
        try await run.drain()
        print(run.scorecard.text)
        guard run.scorecard.holds else {
            print("an invariant does not hold; the queue is kept in \(directory.path)")
            exit(1)
        }
        try? FileManager.default.removeItem(at: directory)
        print("every invariant holds")
    }
}
