import CoreTracker
import EventDelivery
import Foundation
import LoopbackCollector
import SuperApp
import TrackingPlan

/// A tool that writes, checks and compares the tracking plan of this repository, and validates its examples.
///
/// `Scripts/tracking-plan` and `Scripts/validate-firebase` run it.
@main
enum TrackingPlanTool {
    static func main() async {
        do {
            let result = try await run(Array(CommandLine.arguments.dropFirst()))
            print(result.text)
            exit(result.isSuccess ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(2)
        }
    }

    /// Runs a command.
    ///
    /// `validate-firebase` takes a server's address, `loopback` for a local server, or nothing for Google's. All other
    /// commands belong to the plan.
    static func run(_ arguments: [String]) async throws -> (text: String, isSuccess: Bool) {
        guard arguments.first == "validate-firebase" else {
            return try PlanTool(
                catalogs: .all,
                capabilities: try await CapabilityEvents.all(),
                services: try CheckedService.all()
            ).run(arguments)
        }
        guard arguments.last == "loopback" else {
            return try await validation(arguments.dropFirst()).run(.all)
        }
        let collector = try LoopbackCollector(script: .measurementProtocolValidation)
        defer { collector.close() }
        return try await FirebaseValidation(server: collector.url).run(.all)
    }

    private static func validation(_ rest: ArraySlice<String>) throws -> FirebaseValidation {
        guard rest.count < 2 else {
            throw FirebaseValidation.Failure(description: "usage: validate-firebase [URL | loopback]")
        }
        return try rest.first.map { try FirebaseValidation(server: Endpoint($0)) } ?? FirebaseValidation()
    }
}
