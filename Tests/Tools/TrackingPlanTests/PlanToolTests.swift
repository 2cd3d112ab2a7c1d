import CoreTracker
import Foundation
import Testing

@testable import TrackingPlan

@Suite struct PlanToolTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    @Test func `a plan that is written is up to date, and has not changed`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let tool = PlanTool(catalogs: [.accounts], services: try CheckedService.stubs())

        let written = try tool.run(["write", folder.path])

        #expect(written.text == "1 events of 1 modules, 2 calls of services")
        #expect(try tool.run(["check", folder.path]).isSuccess)
        #expect(try tool.run(["diff", folder.path]).text == "0 changes, 0 of which break consumers")
    }

    @Test func `the plan is one line of JSON, with its faults`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let tool = PlanTool(catalogs: [.accounts], services: try CheckedService.stubs())

        let before = try tool.run(["json", folder.path])
        _ = try tool.run(["write", folder.path])
        let after = try tool.run(["json", folder.path])

        #expect(!before.isSuccess && after.isSuccess)
        let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/plan.json")
        #expect(after.text + "\n" == (try String(contentsOf: golden, encoding: .utf8)))
        let files = #""ACAccounts.schema.json","tracking-plan.html","tracking-plan.md","views.sql""#
        #expect(before.text == after.text.replacing(#""differences":[]"#, with: #""differences":[\#(files)]"#))
    }

    @Test func `a plan of other events is outdated, and the difference is printed`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let services = try CheckedService.stubs()
        _ = try PlanTool(catalogs: [.accounts], services: services).run(["write", folder.path])
        let tool = PlanTool(catalogs: [], services: services)

        let check = try tool.run(["check", folder.path])
        let difference = try tool.run(["diff", folder.path])
        _ = try tool.run(["write", folder.path])

        #expect(!check.isSuccess)
        #expect(check.text.contains("differs from the events: ACAccounts.schema.json"))
        #expect(!difference.isSuccess)
        #expect(difference.text.contains("BREAKS AC firebase sign_up: the event was removed"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["tracking-plan.html", "tracking-plan.md", "views.sql"])
    }

    @Test func `files of others in the folder stay, and do not fail the check`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = ["README.md", "index.html", "tables.sql", "app.schema.json", "draft.schema.json"]
        for name in names {
            let text = name == "app.schema.json" ? #"{"title": "App"}"# : "mine"
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let tool = PlanTool(catalogs: [.accounts], services: try CheckedService.stubs())

        _ = try tool.run(["write", folder.path])
        let check = try tool.run(["check", folder.path])

        #expect(check.isSuccess, "\(check.text)")
        #expect(Set(names).isSubset(of: try FileManager.default.contentsOfDirectory(atPath: folder.path)))
    }

    @Test(arguments: ["diff", "page"]) func `a comparison names the schema that is not JSON`(command: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let tool = PlanTool(catalogs: [.accounts], services: try CheckedService.stubs())
        _ = try tool.run(["write", folder.path])
        let schema = folder.appending(path: "ACAccounts.schema.json")
        try Data(contentsOf: schema).prefix(700).write(to: schema)

        let error = #expect(throws: (any Error).self) { try tool.run([command, folder.path]) }

        #expect(error.map { "\($0)".hasPrefix("ACAccounts.schema.json is not a schema of a plan: ") } == true)
    }

    @Test func `a comparison ignores schemas of others`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let tool = PlanTool(catalogs: [.accounts], services: try CheckedService.stubs())
        _ = try tool.run(["write", folder.path])
        try Data(#"{"title": "App"}"#.utf8).write(to: folder.appending(path: "app.schema.json"))

        let difference = try tool.run(["diff", folder.path])

        #expect(difference.text == "0 changes, 0 of which break consumers")
    }

    @Test func `events that break a rule are not written, and fail the check`() throws {
        let tool = PlanTool(catalogs: [BrokenEvents.catalog], services: try CheckedService.stubs())

        #expect(try !tool.run(["write", folder.path]).isSuccess)
        #expect(try !tool.run(["check", folder.path]).isSuccess)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func `an event that is in no catalog is not written, and fails the check`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let module = folder.appending(path: "Sources/ACAccounts")
        try FileManager.default.createDirectory(at: module, withIntermediateDirectories: true)
        let source = "struct SignedUp: CoreTrackable {}\nextension SignedOut: PlannedEvent {}"
        try source.write(to: module.appending(path: "Events.swift"), atomically: true, encoding: .utf8)
        let tool = PlanTool(catalogs: [.accounts], services: try CheckedService.stubs())
        let arguments = [folder.appending(path: "plan").path, folder.appending(path: "Sources").path]

        let written = try tool.run(["write"] + arguments)
        let check = try tool.run(["check"] + arguments)

        #expect(!written.isSuccess && !check.isSuccess)
        #expect(written.text == "is in no event catalog of the plan: ACAccounts.SignedOut")
        #expect(!FileManager.default.fileExists(atPath: arguments[0]))
    }

    @Test func `a change that breaks readers of rows raises the number in the product's tracker, once`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let module = folder.appending(path: "Sources/ACTracker")
        try FileManager.default.createDirectory(at: module, withIntermediateDirectories: true)
        let file = module.appending(path: "ACTracker.swift")
        let source = "public struct ACTracker {\n    public static let planNumber = 9\n    let other = 9\n}\n"
        try source.write(to: file, atomically: true, encoding: .utf8)
        let arguments = ["write", folder.appending(path: "plan").path, folder.appending(path: "Sources").path]
        let services = try CheckedService.stubs()
        func write(_ catalogs: [EventCatalog]) throws -> (said: String, source: String) {
            let said = try PlanTool(catalogs: catalogs, services: services).run(arguments).text
            return (said, try String(contentsOf: file, encoding: .utf8))
        }

        func catalog(_ event: any PlannedEvent.Type) -> EventCatalog {
            EventCatalog("ACRows", product: "AC", events: [event])
        }
        let (first, wider, other) = (catalog(Opened.self), catalog(OpenedWithMore.self), catalog(OpenedByText.self))
        let results = try [[first, .accounts], [first], [wider], [other], [other], []].map(write)

        // The removed events of Firebase and an added key break no reader of the rows.
        #expect(results[..<3].allSatisfy { $0.source == source && !$0.said.contains("number") })
        let (second, third) = ("planNumber = 10", "planNumber = 11")
        #expect(results[3].source == source.replacing("planNumber = 9", with: second))
        #expect(results[3].said.hasSuffix("the plan of AC has the number 10, because readers break"))
        #expect(results[4].source == results[3].source && !results[4].said.contains("number"))
        #expect(results[5].source == results[3].source.replacing(second, with: third))
    }

    @Test(arguments: [[], ["write"], ["print", "folder"]])
    func `other arguments are rejected`(arguments: [String]) {
        let tool = PlanTool(catalogs: [], services: [])

        #expect(throws: PlanTool.UsageError.self) { try tool.run(arguments) }
    }
}

@Suite(.timeLimit(.minutes(5))) struct PlanToolMainTests {
    @Test func `a successful command exits with 0 and prints its result`() async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardOutputContent]) {
            PlanTool(catalogs: [], services: []).runAndExit(["diff", "/"])
        }

        let text = result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } ?? ""
        #expect(text.contains("0 changes, 0 of which break consumers"))
    }

    @Test func `an event that breaks a rule exits with 1`() async throws {
        await #expect(processExitsWith: .exitCode(1)) {
            PlanTool(catalogs: [BrokenEvents.catalog], services: []).runAndExit(["check", "/nowhere"])
        }
    }

    @Test func `a comparison with a missing folder exits with 2 and names it`() async throws {
        let result = await #expect(processExitsWith: .exitCode(2), observing: [\.standardErrorContent]) {
            PlanTool(catalogs: [], services: []).runAndExit(["diff", "/nowhere"])
        }

        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains("there is no folder /nowhere"))
    }

    @Test func `an invalid command line exits with 2 and prints the usage`() async throws {
        let result = await #expect(processExitsWith: .exitCode(2), observing: [\.standardErrorContent]) {
            PlanTool(catalogs: [], services: []).runAndExit(["bogus"])
        }

        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains("usage: "))
    }
}

private struct Opened: LooseEvent {
    static let examples: [[EventService]] = [
        [.awesomeTracking(AwesomeTrackingEvent(name: "opened", parameters: ["a": 1]))]
    ]
    let services: [EventService]
}

private struct OpenedWithMore: LooseEvent {
    static let examples: [[EventService]] = [
        [.awesomeTracking(AwesomeTrackingEvent(name: "opened", parameters: ["a": 1, "b": 2]))]
    ]
    let services: [EventService]
}

private struct OpenedByText: LooseEvent {
    static let examples: [[EventService]] = [
        [.awesomeTracking(AwesomeTrackingEvent(name: "opened", parameters: ["a": "1", "b": 2]))]
    ]
    let services: [EventService]
}
