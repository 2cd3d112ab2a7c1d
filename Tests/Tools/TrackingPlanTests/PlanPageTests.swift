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

    @Test func `an event is listed with its purpose, owner, services and a placeholder for its count`() throws {
        let page = try page()

        #expect(page.contains("<h4>Signed up <!-- seen AC SignedUp --></h4>"))
        #expect(page.contains("<dt>Type</dt><dd><code>SignedUp</code></dd>"))
        #expect(page.contains("<dt>Answers</dt><dd>How users come.</dd>\n<dt>Owner</dt><dd>Accounts</dd>"))
        #expect(page.contains("<h5>firebase <code>sign_up</code></h5>"))
        #expect(page.contains("<h5>braze <code>Signed Up/~</code></h5>"))
        #expect(page.contains("<td><code>mail</code></td><td>string, optional<br>sensitive: hash</td>"))
        #expect(page.contains("<td><code>method</code></td><td>string</td>"))
    }

    @Test func `the page opens with the number of events by product and service`() throws {
        let page = try page()

        let overview = try #require(page.firstRange(of: "<table id=\"overview\">"))
        #expect(overview.lowerBound < (try #require(page.firstRange(of: "<h4>Signed up"))).lowerBound)
        let all =
            "<th scope=\"row\">all services</th><td><a href=\"#AC\" data-product=\"AC\" data-service=\"\">1</a></td>"
        #expect(page.contains(all))
        #expect(page.contains("<a href=\"#AC\" data-product=\"AC\" data-service=\"braze\">1</a>"))
        #expect(page.contains("<option value=\"firebase\">firebase</option>"))
    }

    @Test func `a product has its tracker's name for it, and numbered keys of one type are one row`() throws {
        struct Listed: PlannedEvent {
            var services: [EventService] {
                [.firebase(FirebaseEvent(name: "listed", parameters: ["level": "a", "level2": "b", "level3": "c"]))]
            }
            static var plan: EventPlan<Self> { EventPlan("Listed", owner: "Shop", purpose: "?", examples: [Listed()]) }
        }
        var sources = SourceNotes()
        sources.read("/// The tracker of Acme Shop: a tracker.\npublic struct ACTracker {\n}", module: "ACTracker")
        let catalog = EventCatalog("ACShop", product: "AC", events: [Listed.self])
        let notes = PlanNotes(on: [catalog], sources: sources)

        let page = PlanPage(of: Plan(of: [catalog], at: []), examples: [], at: [], notes: notes).html

        #expect(page.contains("<h2 id=\"AC\">Acme Shop</h2>"))
        #expect(page.contains("<td><code>level</code></td>"))
        #expect(page.contains("<td><code>level2</code> to <code>level3</code></td>"))
    }

    @Test func `the bodies are those that are sent, and reproducible`() throws {
        let page = try page()

        #expect(page.contains("{&quot;name&quot;:&quot;sign_up&quot;,&quot;timestamp_micros&quot;:1772359200000000,"))
        #expect(page.contains("&quot;friends&quot;:2"))
        #expect(!page.contains("ali@example.com"))
        #expect(try page == self.page())
    }

    @Test func `changes are listed first, those that break consumers at the top, with escaped texts`() throws {
        let changes = [
            PlanChange("a <b> is new"),
            PlanChange("c was removed", breaks: [.kotlin, .receivers]),
        ]

        let page = try page(changes: changes)

        let gone = try #require(page.firstRange(of: "c was removed"))
        let new = try #require(page.firstRange(of: "a &lt;b&gt; is new"))
        #expect(gone.lowerBound < new.lowerBound)
        #expect(page.contains("<strong class=\"breaks\">breaks receivers, Kotlin</strong> c was removed"))
    }

    @Test func `names are escaped, even in the comment for the count`() throws {
        struct Boxed<Value>: PlannedEvent {
            var services: [EventService] { [.firebase(FirebaseEvent(name: "<b>"))] }
            static var plan: EventPlan<Self> { EventPlan("<i>", owner: "<u>", purpose: "<s>", examples: [Boxed()]) }
        }
        let catalog = EventCatalog("<q>", product: "--><script>&", events: [Boxed<Int>.self])

        let page = PlanPage(of: Plan(of: [catalog], at: []), examples: [], at: []).html

        for word in ["<b>", "<i>", "<u>", "<s>", "<q>", "<script>&", "<Int>"] {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("<!-- seen --&gt;&lt;script&gt;&amp; Boxed&lt;Int&gt; -->"))
    }

    @Test func `a key has its meaning and its values, and an event its occasion, release and replacement`() throws {
        struct Bought: PlannedEvent {
            var services: [EventService] { [.firebase(FirebaseEvent(name: "bought", parameters: ["way": "card"]))] }
            static var plan: EventPlan<Self> {
                EventPlan("Bought", owner: "Shop", purpose: "What sells.", introduced: "2.4", examples: [Bought()])
            }
        }
        struct Sold: PlannedEvent {
            var services: [EventService] { [.firebase(FirebaseEvent(name: "sold"))] }
            static var plan: EventPlan<Self> {
                let deprecation = EventDeprecation(since: "2.5", replacement: Bought.self)
                return EventPlan("Sold", owner: "Shop", purpose: "?", deprecation: deprecation, examples: [Sold()])
            }
        }
        var sources = SourceNotes()
        sources.read(
            """
            /// The user paid & left.
            public struct Bought: CoreTrackable {
            }
            extension EventParameter {
                /// How the user paid.
                static let way = Key<Way>("way")
            }
            enum Way: String {
                /// By card.
                case card
            }
            """,
            module: "ACShop"
        )
        let catalog = EventCatalog("ACShop", product: "AC", events: [Sold.self, Bought.self])

        let page = PlanPage(
            of: Plan(of: [catalog], at: []),
            examples: [],
            at: [],
            notes: PlanNotes(on: [catalog], sources: sources)
        ).html

        #expect(page.contains("<dt>When</dt><dd>The user paid &amp; left.</dd>"))
        #expect(page.contains("<dt>Introduced</dt><dd>2.4</dd>"))
        #expect(
            page.contains("<dd><span class=\"breaks\">2.5</span>, replaced by <a href=\"#AC.Bought\">Bought</a></dd>")
        )
        #expect(page.contains("<a href=\"#AC.Sold\">Sold</a> <span class=\"breaks\">deprecated</span>"))
        #expect(
            page.contains("<code>way</code><br>How the user paid.<ul><li><code>card</code> By card.</li></ul></td>")
        )
    }

    @Test func `it loads nothing from other hosts`() throws {
        let page = try page()

        for word in [
            "fetch(", "XMLHttpRequest", "eval(", "innerHTML", "<link", "<img", "src=", "http://", "https://", "@import",
            "url(",
        ] {
            #expect(!page.contains(word), "\(word)")
        }
    }
}
