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
        (ParameterValue.string("a"), #"match(visitParamExtractRaw(json, 'key'), '^"')"#, "String"),
        (
            .int(1),
            "toString(visitParamExtractInt(json, 'key')) = "
                + #"replaceRegexpOne(visitParamExtractRaw(json, 'key'), '\\.0+$', '')"#,
            "Int"
        ),
        (.double(1.5), "match(visitParamExtractRaw(json, 'key'), '^-?[0-9]')", "Float"),
        (.bool(true), "visitParamExtractRaw(json, 'key') IN ('true', 'false')", "Bool"),
        (.array([.int(1)]), #"match(visitParamExtractRaw(json, 'key'), '^\\[')"#, "Raw"),
        (.object(["a": 1]), #"match(visitParamExtractRaw(json, 'key'), '^\\{')"#, "Raw"),
    ])
    func `a column has the type of its parameter, or is NULL`(value: ParameterValue, condition: String, type: String) {
        let views = Self.views([Self.entry(["key": value])])

        #expect(views.contains("CREATE VIEW awesome.`AC_opened` AS"))
        #expect(views.contains("WHERE product = 'AC' AND name = 'opened'"))
        #expect(views.contains("if(\(condition), visitParamExtract\(type)(json, 'key'), NULL) AS `key`"), "\(views)")
        #expect(
            views.contains(
                "if(visitParamExtractRaw(json, 'key') = '', 'missing key', if(\(condition), '', 'type of key'))"
            )
        )
    }

    @Test func `a key that an event may lack breaks the plan only by its type`() {
        var entry = Self.entry(["price": .int(1)])
        entry.parameters = entry.parameters.merged(with: ValueSchema(ofParameters: [:]))

        let views = Self.views([entry])

        #expect(views.contains("'type of price'"))
        #expect(!views.contains("'missing price'"))
    }

    @Test func `a value of several types is JSON text`() {
        var entry = Self.entry(["key": .int(1)])
        entry.parameters = entry.parameters.merged(with: ValueSchema(ofParameters: ["key": .string("a")]))

        let views = Self.views([entry])

        #expect(
            views.contains(
                "if(visitParamExtractRaw(json, 'key') != '', visitParamExtractRaw(json, 'key'), NULL) AS `key`"
            )
        )
    }

    @Test func `names with quotes, and names that the statement has, stay apart from it`() {
        let parameters: EventParameters = ["seq": 1, "name": 1, "json": 1, "it's": 1, "a`b": 1]

        let views = Self.views([Self.entry(parameters, name: "o'\u{301}ne")])

        for name in ["seq", "name", "json"] { #expect(views.contains("AS `props_\(name)`")) }
        #expect(views.contains(#"visitParamExtractInt(json, 'it\'s'), NULL) AS `it's`"#))
        #expect(views.contains(#"AS `a\`b`"#))
        #expect(views.unicodeScalars.contains(#"name = 'o\'\#u{301}ne'"#.unicodeScalars))
    }

    @Test func `no two columns of a view have one name`() {
        let parameters: EventParameters = [
            "name": 1, "props_name": 1, "platform": 1, "props_platform": 1, "props_props_platform": 1,
        ]

        let views = Self.views([Self.entry(parameters)])

        let names = views.matches(of: #/visitParamExtractInt\(json, '(\w+)'\), NULL\) AS `(\w+)`/#)
            .map { "\($0.1): \($0.2)" }
        #expect(
            names == [
                "name: props_props_name", "platform: props_props_props_platform", "props_name: props_name",
                "props_platform: props_platform", "props_props_platform: props_props_platform",
            ]
        )
    }

    @Test func `the rows that break the plan are also those of unknown events`() {
        let views = Self.views([Self.entry(["key": .string("a")])])

        #expect(views.contains("WHERE name NOT IN ('$identify', '$group', '$alias') AND"))
        #expect(views.contains("AND (product, name) GLOBAL NOT IN (SELECT product, name FROM awesome.plan_events)"))
        #expect(views.contains("SELECT arrayJoin([\n        ('', ''),\n        ('AC', 'opened')]) AS event"))
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
