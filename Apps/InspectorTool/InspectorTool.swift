import Foundation

/// The entry point of `Scripts/inspect`.
@main
enum InspectorTool {
    static func main() async {
        do throws(InspectorOptions.UsageError) {
            let options = try InspectorOptions(Array(CommandLine.arguments.dropFirst()))
            guard !options.showsHelp else { return print(InspectorOptions.help) }
            let session = try InspectorSession(options)
            print(session.instructions)
            fflush(nil)
            // The collector uses its own threads. SIGINT and SIGTERM end the process.
            while true { try? await Task.sleep(for: .seconds(3600)) }
        } catch {
            FileHandle.standardError.write(Data("inspect: \(error.message)\n".utf8))
            exit(64)
        }
    }
}
