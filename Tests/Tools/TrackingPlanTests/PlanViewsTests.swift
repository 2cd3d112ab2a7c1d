import CoreTracker
import Testing

@testable import TrackingPlan

@Suite struct PlanViewsTests {
    private static func entry(_ parameters: EventParameters, name: String = "opened") -> PlanEntry {
        PlanEntry(
            product: "AC",
            module: "ACAccounts",
            event: "Opened",
            title: "Opened",
            owner: "",
            purpose: "",
            service: "awesomeTracking",
            name: name,
            rules: "",
            parameters: ValueSchema(ofParameters: parameters)
        )
    }

    private static func views(_ entries: [PlanEntry]) -> String {
        var plan = Plan()
        plan.entries = entries
        return plan.views
    }

    @Test(arguments: [
        (ParameterValue.string("a"), "visitParamExtractString(props, 'key') AS `key`"),
        (.int(1), "visitParamExtractInt(props, 'key') AS `key`"),
        (.double(1.5), "visitParamExtractFloat(props, 'key') AS `key`"),
        (.bool(true), "visitParamExtractBool(props, 'key') AS `key`"),
        (.array([.int(1)]), "visitParamExtractRaw(props, 'key') AS `key`"),
    ])
    func `a column has the type of its parameter`(value: ParameterValue, column: String) {
        let views = Self.views([Self.entry(["key": value])])

        #expect(views.contains("CREATE VIEW awesome.`AC_opened` AS"))
        #expect(views.contains("WHERE product = 'AC' AND name = 'opened'"))
        #expect(views.contains(column), "\(views)")
    }

    @Test func `a number that may be missing is NULL then`() {
        var entry = Self.entry(["price": .int(1)])
        entry.parameters = entry.parameters.merged(with: ValueSchema(ofParameters: [:]))

        let views = Self.views([entry])

        #expect(views.contains("if(visitParamHas(props, 'price'), visitParamExtractInt(props, 'price'), NULL)"))
        #expect(views.contains("'type of price'"))
        #expect(!views.contains("'missing price'"))
    }

    @Test func `a key that occurs in a nested value too is read at the top level`() {
        let items = ParameterValue.array([.object(["price": .int(1)])])
        var entry = Self.entry(["items": items, "price": .double(2)])
        entry.parameters = entry.parameters.merged(with: ValueSchema(ofParameters: ["items": items]))

        let views = Self.views([entry])

        #expect(views.contains("if(JSONHas(props, 'price'), JSONExtractFloat(props, 'price'), NULL) AS `price`"))
        #expect(views.contains("if(JSONHas(props, 'price'), if(match(JSONExtractRaw(props, 'price'), "))
        #expect(views.contains("visitParamExtractRaw(props, 'items') AS `items`"))
    }

    @Test func `names with quotes, and names of the envelope, stay apart from the statement`() {
        let views = Self.views([Self.entry(["seq": .int(1), "it's": .int(1), "a`b": .int(1)], name: "o'\u{301}ne")])

        #expect(views.contains("AS `props_seq`"))
        #expect(views.contains(#"visitParamExtractInt(props, 'it\'s') AS `it's`"#))
        #expect(views.contains(#"AS `a\`b`"#))
        #expect(views.unicodeScalars.contains(#"name = 'o\'\#u{301}ne'"#.unicodeScalars))
    }

    @Test func `the rows that break the plan are of unknown events, or lack a key, or have another type`() {
        let views = Self.views([Self.entry(["key": .string("a")])])

        #expect(views.contains("WHERE name NOT IN ('$identify', '$group', '$alias') AND"))
        #expect(views.contains("AND (product, name) NOT IN (('AC', 'opened'))"))
        #expect(
            views.contains(
                #"if(visitParamHas(props, 'key'), if(match(visitParamExtractRaw(props, 'key'), '^"'), '', 'type of key'), "#
                    + "'missing key')"
            )
        )
    }

    @Test func `events with one name have one view with the columns of all`() {
        let views = Self.views([Self.entry(["basket": .int(1)]), Self.entry(["list": .string("a")])])

        #expect(views.ranges(of: "CREATE VIEW awesome.`AC_opened` AS").count == 1)
        #expect(views.contains("AS `basket`") && views.contains("AS `list`"), "\(views)")
        #expect(!views.contains("'missing basket'") && !views.contains("'missing list'"))
    }

    @Test func `only in-house events have views`() {
        var entry = Self.entry([:])
        entry.service = "firebase"

        let views = Self.views([entry])

        #expect(!views.contains("AC_opened"))
    }
}
