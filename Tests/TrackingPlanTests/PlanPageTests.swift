import CoreTracker
import Testing

@testable import TrackingPlan

@Suite struct PlanPageTests {
    private func page(changes: [PlanChange] = []) throws -> String {
        let services = try CheckedService.stubs()
        let examples = ExampleBody.all(in: [.accounts], at: services)
        let plan = Plan(of: [.accounts], at: services)
        return PlanPage(of: plan, examples: examples, at: services, changes: changes).html
    }

    @Test func `an event stands with its purpose, its owner and both services, and has a place for its count`() throws {
        let page = try page()

        #expect(page.contains("<h3>Signed up <!-- seen AC SignedUp --></h3>"))
        #expect(page.contains("<code>SignedUp</code>, owned by Accounts. How users come."))
        #expect(page.contains("<h4>firebase <code>sign_up</code></h4>"))
        #expect(page.contains("<h4>braze <code>Signed Up/~</code></h4>"))
        #expect(page.contains("<td><code>mail</code></td><td>string</td><td>sometimes</td><td>sensitive: hash</td>"))
        #expect(page.contains("<td><code>method</code></td><td>string</td><td>always</td><td></td>"))
    }

    @Test func `the bodies are those that are sent, and the same in every run`() throws {
        let page = try page()

        #expect(page.contains("{&quot;name&quot;:&quot;sign_up&quot;,&quot;timestamp_micros&quot;:1772359200000000,"))
        #expect(page.contains("&quot;friends&quot;:2"))
        #expect(!page.contains("ali@example.com"))
        #expect(try page == self.page())
    }

    @Test func `changes come first, those that break consumers before all others, and no text is markup`() throws {
        let changes = [
            PlanChange(text: "a <b> is new", breaksConsumers: false),
            PlanChange(text: "c is gone", breaksConsumers: true),
        ]

        let page = try page(changes: changes)

        let gone = try #require(page.firstRange(of: "c is gone"))
        let new = try #require(page.firstRange(of: "a &lt;b&gt; is new"))
        #expect(gone.lowerBound < new.lowerBound)
        #expect(page.contains("<strong class=\"breaks\">breaks consumers</strong> c is gone"))
    }

    @Test func `it asks for nothing from outside and runs no script`() throws {
        let page = try page()

        for word in ["<script", "<link", "<img", "src=", "http://", "https://", "@import", "url("] {
            #expect(!page.contains(word), "\(word)")
        }
    }
}
