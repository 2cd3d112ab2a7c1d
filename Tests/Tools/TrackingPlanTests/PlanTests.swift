import CoreTracker
import Foundation
import Testing

@testable import TrackingPlan

@Suite struct PlanTests {
    @Test func `an event has an entry for each service and name, with the parameters of its examples`() throws {
        let plan = Plan(of: [.accounts], at: try CheckedService.stubs())

        #expect(plan.modules == ["ACAccounts"])
        #expect(plan.entries.map { "\($0.service) \($0.name)" } == ["firebase sign_up", "braze Signed Up/~"])
        let firebase = plan.entries[0]
        #expect(
            [firebase.product, firebase.event, firebase.title, firebase.owner] == [
                "AC", "SignedUp", "Signed up", "Accounts",
            ]
        )
        #expect(firebase.parameters.keys().map(\.path) == ["friends", "method"])
        #expect(firebase.rules.contains("at most 25 parameters"))
    }

    @Test func `a service without a destination has no rules`() {
        let plan = Plan(of: [.accounts], at: [])

        #expect(Set(plan.entries.map(\.rules)) == ["none"])
    }
}

@Suite struct PlanFilesTests {
    @Test func `a plan survives writing and reading its schemas`() throws {
        let plan = Plan(of: [.accounts], at: try CheckedService.stubs())

        let files = try PlanFiles(of: plan, page: PlanPage(of: plan, examples: [], at: []))

        #expect(try files.plan == plan)
        let names = ["ACAccounts.schema.json", "tracking-plan.html", "tracking-plan.md", "views.sql"]
        #expect(files.texts.keys.sorted() == names)
    }

    @Test func `a catalog of two products has a definition, a section and an anchor for each`() throws {
        let other = EventCatalog("ACAccounts", product: "BD", events: [SignedUp.self])
        let plan = Plan(of: [.accounts, other], at: [])

        let files = try PlanFiles(of: plan, page: PlanPage(of: plan, examples: [], at: []))

        #expect(try files.plan == plan)
        #expect(plan.eventsInOrder.map { $0[0].product } == ["AC", "BD"])
        let page = try #require(files.texts["tracking-plan.html"])
        #expect(page.contains(#"<section id="AC.SignedUp""#) && page.contains(##"href="#BD.SignedUp""##))
    }

    @Test func `a folder that does not exist has no plan`() throws {
        let files = try PlanFiles(in: FileManager.default.temporaryDirectory.appending(path: UUID().uuidString))

        #expect(try files.plan == Plan())
    }

    @Test func `the page lists each key of each service, and the schema is a JSON Schema`() throws {
        let plan = Plan(of: [.accounts], at: try CheckedService.stubs())
        let texts = try PlanFiles(of: plan, page: PlanPage(of: plan, examples: [], at: [])).texts

        let page = try #require(texts["tracking-plan.md"])
        #expect(
            page.contains(
                "| AC | ACAccounts | Signed up (`SignedUp`) | Accounts | firebase `sign_up`, braze `Signed Up/~` |"
            )
        )
        #expect(page.contains("| braze | `Signed Up/~` | `mail` | string, sensitive: hash | no |"))
        #expect(page.contains("| firebase | `sign_up` | `friends` | integer | no |"))
        let schema = try #require(texts["ACAccounts.schema.json"])
        #expect(schema.contains(#""$schema" : "https://json-schema.org/draft/2020-12/schema""#))
        #expect(schema.contains(##""$ref" : "#/$defs/AC.SignedUp.braze.Signed%20Up~1~0""##))
    }

    @Test func `a vertical bar or a line break stays in its cell of a table`() throws {
        var plan = Plan(of: [.accounts], at: try CheckedService.stubs())
        for index in plan.entries.indices { plan.entries[index].owner = "Search | Ads\nteam" }

        #expect(
            plan.markdown.contains("| Signed up (`SignedUp`) | Search \\| Ads team | firebase "),
            "\(plan.markdown)"
        )
    }
}
