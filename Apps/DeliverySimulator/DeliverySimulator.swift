import Foundation

/// Runs the engine under simulation: see `Scripts/simulate`, which makes hash tables come in the same order in each
/// process, so that a seed can be run again.
@main
enum DeliverySimulator {
    static func main() {
        guard let options = SimulatorOptions(Array(CommandLine.arguments.dropFirst())) else { exit(2) }
        exit(SimulatorRun(options).run() ? 0 : 1)
    }
}
