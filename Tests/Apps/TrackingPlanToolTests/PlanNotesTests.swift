import Foundation
import SuperApp
import Testing

@testable import TrackingPlan
@testable import TrackingPlanTool

/// The repository that contains these tests.
enum Repository {
    /// Returns the folders of modules.
    static func shelves() throws -> [URL] {
        let modules = URL(filePath: #filePath).appending(path: "../../../../Modules").standardizedFileURL
        return try FileManager.default.contentsOfDirectory(at: modules, includingPropertiesForKeys: nil)
    }
}

/// Tests the additional information on the page of this repository's plan.
@Suite struct PlanNotesTests {
    @Test func `each key has a meaning, and each event an occasion and a release`() throws {
        let services = try CheckedService.all()
        let sources = SourceNotes(in: try SourceFile.all(in: Repository.shelves()))
        let notes = PlanNotes(on: .all, at: services, sources: sources)
        let plan = Plan(of: .all, at: services)

        for entry in plan.entries {
            let event = notes.event(of: entry)
            #expect(event.occasion != nil && event.introduced != nil, "\(entry.event)")
            let defaults = services.first { $0.accepts(entry.service, of: entry.product) }?.defaults ?? []
            for key in entry.parameters.keys().map(\.path) + defaults {
                #expect(notes.key(key, of: entry) != nil, "\(entry.event) at \(entry.service): \(key)")
            }
        }
        let payment = try #require(plan.entries.first { $0.event == "DLPaymentSelected" && $0.service == "firebase" })
        #expect(notes.key("payment_type", of: payment)?.values.map(\.value) == ["card", "wallet", "cash"])
        #expect(notes.key("items[].quantity", of: payment)?.meaning == "The number of pieces.")
    }
}
