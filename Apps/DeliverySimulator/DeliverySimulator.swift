import Foundation

/// A program that runs the engine under simulation.
///
/// Run it with `Scripts/simulate`, which makes the order of hash tables the same in each process. A seed then always
/// gives the same run.
@main
enum DeliverySimulator {
    static func main() {
        guard let options = SimulatorOptions(Array(CommandLine.arguments.dropFirst())) else { exit(2) }
        exit(SimulatorRun(options).run() ? 0 : 1)
    }
}
