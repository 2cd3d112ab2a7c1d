import Foundation

/// The demo's entry point.
@main
enum TrackerDemo {
    static func main() async {
        // If the reader of our output exits, the queue must still be closed.
        signal(SIGPIPE, SIG_IGN)
        let code = await run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }

    @MainActor
    private static func run(_ words: [String]) async -> ExitCode {
        let console = Console()
        do throws(DemoError) {
            let arguments = try Arguments(words)
            guard !arguments.showsHelp else {
                console.print(Arguments.help)
                return .success
            }
            return try await Demo(arguments: arguments, console: console).run()
        } catch {
            console.log("TrackerDemo: \(error.message)")
            return error.code
        }
    }
}
