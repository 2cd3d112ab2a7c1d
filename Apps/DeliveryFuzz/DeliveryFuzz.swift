import OptionParsing

/// A fuzzer that passes mutated input to parts of the engine and fails if a part breaks its contract.
///
/// A case depends only on the seed and its number. Case numbers are printed before they run, so the cases of a crashed
/// process can be repeated.
@main
struct DeliveryFuzz {
    static func main() async { await FuzzOptions.run(run) }

    private static func run(_ options: FuzzOptions) async throws {
        for target in options.targets {
            if !options.runsHere { print("fuzz of \(target.rawValue), seed \(options.seed)") }
            let end = ContinuousClock.now + .seconds(options.minutes * 60 / options.targets.count)
            switch target {
            case .responses: try await ResponseFuzzer(seed: options.seed).run(options, until: end)
            case .files where options.runsHere: try await FileCases(seed: options.seed).run(options, until: end)
            case .files: try await FileFuzzer(seed: options.seed).run(options, until: end)
            }
        }
    }
}
