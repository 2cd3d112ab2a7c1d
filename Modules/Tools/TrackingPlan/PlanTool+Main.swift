import Foundation

extension PlanTool {
    /// Runs a command of the command line, prints the result and exits the process.
    ///
    /// The exit status is 0 on success. It is 1 if an event breaks a rule or the plan differs. It is 2 if the command
    /// line is not valid or the folder cannot be read or written. Errors are printed to standard error.
    ///
    /// - Parameter arguments: The command and the folder, as for ``run(_:)``.
    public func runAndExit(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) -> Never {
        do {
            let (text, isSuccess) = try run(arguments)
            FileHandle.standardOutput.write(Data("\(text)\n".utf8))
            exit(isSuccess ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(2)
        }
    }
}
