import Foundation
import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct InspectorPlanTests {
    @Test func `an entry is found by service and name, and by product`() {
        let plan = Inspected.plan

        let entry = plan.entries(service: "awesomeTracking", name: "order", product: "XY").first

        #expect((entry?.event, entry?.title, entry?.call) == ("XYBought", "Bought", 1))
        #expect(plan.entries(service: "firebase", name: "bought", product: nil).first?.call == 0)
        #expect(plan.entries(service: "firebase", name: "bought", product: "ZZ").isEmpty)
        #expect(plan.covers(service: "firebase", product: "XY") && plan.covers(service: "firebase", product: nil))
        #expect(!plan.covers(service: "braze", product: "XY") && !plan.covers(service: "firebase", product: "ZZ"))
    }

    @Test func `a name with a space, a slash and a tilde is found by its reference`() throws {
        let schema = #"""
            {"anyOf":[{"$ref":"#/$defs/AC.SignedUp.braze.Signed%20Up~1~0"}],"$defs":{
            "AC.SignedUp.braze.Signed Up/~":{"x-event":"SignedUp","x-product":"AC","properties":{
            "service":{"const":"braze"},"name":{"const":"Signed Up/~"}}}}}
            """#

        let plan = InspectorPlan(schema: try #require(CollectedValue(Array(schema.utf8))))

        #expect(plan.entries(service: "braze", name: "Signed Up/~", product: "AC").map(\.event) == ["SignedUp"])
    }

    @Test func `the plan of this repository can be read from its files`() throws {
        let plan = try InspectorPlan(folder: Inspected.planFolder.path)

        #expect(plan.page?.contains(InspectorPlan.marker(product: "DL", event: "DLOrderPlaced")) == true)
        #expect(plan.entries(service: "firebase", name: "purchase", product: "DL").first?.event == "DLOrderPlaced")
        #expect(plan.entries(service: "firebase", name: "purchase", product: nil).count == 2)
        // An event has one position for each service, regardless of its names there.
        let cart = ["add_to_cart", "remove_from_cart"].flatMap {
            plan.entries(service: "firebase", name: $0, product: "TY").map(\.call)
        }
        #expect(cart == [0, 0])
    }

    @Test func `the marker of a name with markup equals that of the plan's page`() {
        let marker = InspectorPlan.marker(product: "--><script>&", event: "Boxed<Int>")

        #expect(marker == "<!-- seen --&gt;&lt;script&gt;&amp; Boxed&lt;Int&gt; -->")
    }

    @Test func `the policy allows only the plan's own style and script`() throws {
        let (html, policy) = InspectorPage.plan("<style>a</style><script>b</script><script src=\"c\">")

        let nonce = try #require(html.firstMatch(of: #/^<style nonce="(\w+)">/#)?.1)
        #expect(html == "<style nonce=\"\(nonce)\">a</style><script nonce=\"\(nonce)\">b</script><script src=\"c\">")
        #expect(policy.hasPrefix("default-src 'none'"))
        #expect(policy.hasSuffix("; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'"))
    }

    @Test func `a schema that is not whole is an error with its name, and schemas of others are ignored`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let schema = try Data(contentsOf: Inspected.planFolder.appending(path: "DLCheckout.schema.json"))
        let files = [
            "Whole": schema, "Half": schema.prefix(schema.count / 2), "Other": Data(#"{"title": "App"}"#.utf8),
        ]
        for (name, data) in files { try data.write(to: folder.appending(path: "\(name).schema.json")) }

        #expect(throws: InspectorPlanError.unreadable(schema: "Half.schema.json", folder: folder.path)) {
            try InspectorPlan(folder: folder.path)
        }
        try FileManager.default.removeItem(at: folder.appending(path: "Half.schema.json"))
        #expect(try !InspectorPlan(folder: folder.path).events.isEmpty)
    }

    @Test func `a folder without a plan is an error`() {
        #expect(throws: InspectorPlanError.noPlan(folder: "/nowhere/at/all")) {
            try InspectorPlan(folder: "/nowhere/at/all")
        }
    }
}
