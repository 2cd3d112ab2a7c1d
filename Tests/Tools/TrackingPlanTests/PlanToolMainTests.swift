import Foundation
import Testing

@testable import TrackingPlan

@Suite struct PlanToolMainTests {
    @Test func `a successful command exits with 0 and prints its result`() async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardOutputContent]) {
            PlanTool(catalogs: [], services: []).runAndExit(["diff", "/nowhere"])
        }

        let text = result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } ?? ""
        #expect(text.contains("0 changes, 0 of which break consumers"))
    }

    @Test func `an event that breaks a rule exits with 1`() async throws {
        await #expect(processExitsWith: .exitCode(1)) {
            PlanTool(catalogs: [BrokenEvents.catalog], services: []).runAndExit(["check", "/nowhere"])
        }
    }

    @Test func `an invalid command line exits with 2 and prints the usage`() async throws {
        let result = await #expect(processExitsWith: .exitCode(2), observing: [\.standardErrorContent]) {
            PlanTool(catalogs: [], services: []).runAndExit(["bogus"])
        }

        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains("usage: "))
    }
}
