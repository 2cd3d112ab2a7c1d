import CoreTracker
import EventDelivery
import Foundation
import Testing

@testable import TrackingPlan

@Suite struct ContractTests {
    /// The golden files, which `Scripts/checks/contract` compiles in both languages.
    private static let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    private func files(_ catalogs: [EventCatalog]) throws -> ContractFiles {
        let services = try CheckedService.stubs()
        var sources = SourceNotes()
        sources.read(AllKinds.source, module: "ACKinds")
        let notes = PlanNotes(on: catalogs, at: services, sources: sources)
        let plan = Plan(of: catalogs, at: services, notes: notes)
        return try ContractFiles(of: plan, DeclaredEvent.all(in: catalogs), at: services)
    }

    @Test func `a small plan with values and names of all kinds has the golden files`() throws {
        let files = try files([AllKinds.catalog])

        for (path, text) in files.texts where !path.lowercased().hasSuffix("wire.kt") && !path.hasSuffix("wire.ts") {
            let golden = try String(contentsOf: ContractTests.golden.appending(path: path), encoding: .utf8)
            #expect(text == golden, "\(path) differs")
        }
    }

    @Test func `the files of an earlier plan are removed, and other files stay`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try files([AllKinds.catalog]).write(to: folder)
        try Data("mine".utf8).write(to: folder.appending(path: "kotlin/Mine.kt"))

        try files([]).write(to: folder)

        let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "kotlin").path)
        #expect(names.sorted() == ["Examples.kt", "Mine.kt", "Wire.kt"])
    }

    @Test(arguments: [
        "5", "999999999999999999", "1772359200123456789", "0123", "0", "+5", "-5", "5.0", "\u{FF15}", "5\n", "s-1",
    ])
    func `all languages agree whether a session's id is a number for GA4`(id: String) throws {
        let texts = try files([]).texts
        let kotlin = texts["kotlin/Wire.kt"]?.firstMatch(of: #/Regex\("(.+)"\)\.matches\(envelope\.sessionId\)/#)
        let typeScript = texts["typescript/wire.ts"]?.firstMatch(of: #/\/\^(.+)\$\/\.test\(session\)/#)

        let isNumber = try isNumberForGA4(id)

        for pattern in [try #require(kotlin?.1), try #require(typeScript?.1)] {
            #expect(try (Regex(String(pattern)).wholeMatch(in: id) != nil) == isNumber, "\(pattern)")
        }
    }

    /// Returns whether the Swift library sends the id of a session as the session's number.
    private func isNumberForGA4(_ id: String) throws -> Bool {
        var encoder = EventEncoder()
        let event = OutgoingEvent(
            id: DeclaredCall.id,
            name: "view",
            parameters: [:],
            time: DeclaredCall.fixedTime,
            identity: Identity(
                deviceID: DeclaredCall.identity.deviceID,
                userID: nil,
                sessionID: id,
                sessionStart: DeclaredCall.fixedTime
            ),
            sequence: 1
        )
        try CheckedService.stubs()[0].destination.encode(event, into: &encoder)
        return !String(decoding: encoder.bytes, as: UTF8.self).contains("app_session")
    }

    @Test(
        arguments: [
            ("view", ["item_id": "1", "itemID": "2", "itemId": "3"], "“itemID” and “itemId” would both be itemId"),
            ("view", ["🙂": 1], "“🙂” has no letter or digit for a name"),
            ("", [:], "“” has no letter or digit for a name"),
            ("view", [ParameterKey(String(repeating: "n", count: 101)): 1], "is longer than 100 bytes"),
            (String(repeating: "ü", count: 51), [:], "is longer than 100 bytes"),
            ("view", [ParameterKey(long): [ParameterKey(long): ["a": 1]]], "too long for a file of Kotlin's compiler"),
            ("view", ["a": [1, "b"]], "a is integer or string, and Kotlin has no such type"),
            ("view", ["a": []], "a: no example shows an element of the list"),
            ("view", ["item": ["a": 1], "items": [["a": 1]]], "“view.item” and “view.items” would both be ViewItem"),
        ] as [(String, EventParameters, String)]
    )
    func `a plan without correct code has one clear error`(
        name: String,
        parameters: EventParameters,
        message: String
    ) throws {
        var plan = Plan()
        plan.entries = [entry(name, parameters)]

        let failure = #expect(throws: Contract.Failure.self) {
            try Contract.all(of: plan, at: try CheckedService.stubs())
        }

        #expect(failure?.description.contains(message) == true, "\(failure?.description ?? "")")
    }

    private static let long = String(repeating: "n", count: 95)

    @Test(arguments: [
        "constructor", "has_own_property", "is_prototype_of", "property_is_enumerable", "to_locale_string", "to_string",
        "valueOf",
    ])
    func `a member that each object has in TypeScript is a reserved word`(key: String) throws {
        let name = try ContractName.member(key, in: "the plan")

        #expect(name.hasSuffix("_"))
    }

    @Test(arguments: [("view_item", "viewItem"), ("view-item", "VIEW_ITEM")])
    func `two events with one name in the code have one clear error`(names: (String, String)) throws {
        var plan = Plan()
        plan.entries = [entry(names.0, [:]), entry(names.1, [:])]

        let failure = #expect(throws: Contract.Failure.self) {
            try Contract.all(of: plan, at: try CheckedService.stubs())
        }

        #expect(failure?.description.contains("would both be ViewItem in Kotlin and TypeScript; rename one") == true)
    }

    @Test func `the tool reports a plan without correct code, and writes nothing`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let catalog = EventCatalog("ACMixed", product: "AC", events: [Mixed.self])
        let tool = PlanTool(catalogs: [catalog], services: try CheckedService.stubs())

        let result = try tool.run(["contract", folder.path])

        #expect(!result.isSuccess)
        #expect(result.text.hasPrefix("has no correct code in Kotlin or TypeScript: AC awesomeTracking mixed: a is "))
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    private func entry(_ name: String, _ parameters: EventParameters) -> PlanEntry {
        PlanEntry(
            product: "AC",
            module: "ACShop",
            event: "Event",
            title: "Event",
            owner: "Tests",
            purpose: "To fail.",
            service: "awesomeTracking",
            name: name,
            rules: "none",
            parameters: ValueSchema(ofParameters: parameters)
        )
    }

    /// An event whose key has two types.
    private struct Mixed: LooseEvent {
        let services: [EventService]
        static let examples = [AllKinds.row("mixed", ["a": 1]), AllKinds.row("mixed", ["a": "x"])].map { [$0] }
    }
}

/// Events with values and names of all kinds.
enum AllKinds {
    static let catalog = EventCatalog(
        "ACKinds",
        product: "AC",
        defaults: ["screen": "kinds", "theme": "dark_blue"],
        events: [Values.self, Names.self, Commerce.self]
    )

    /// The declarations with the meanings and the allowed values of the keys.
    static let source = """
        extension EventParameter {
            /// A fixed */ value.
            static let state = Key<ACState>("state")
            /// Several fixed values.
            static let states = Key<[ACState]>("states")
            /// An integer that may be larger than a double represents, which a receiver stores as 64 bits on all platforms.
            static let large = Key<Int>("large")
            /// Fixed values with a default.
            static let theme = Key<ACTheme>("theme")
        }
        enum ACTheme: String {
            case light, darkBlue = "dark_blue"
        }
        enum ACState: String {
            case none = ""
            case new, inUse = "in_use"
            case third = "3rd"
        }
        """

    static func row(_ name: String, _ parameters: EventParameters) -> EventService {
        .awesomeTracking(AwesomeTrackingEvent(name: name, parameters: parameters))
    }

    struct Values: LooseEvent {
        let services: [EventService]
        static let purpose = "Which values arrive /* unchanged."
        static let examples = [
            [
                row(
                    "values",
                    [
                        "text": "\"$a\\ '\n\u{1}🙂\u{2028}</script>", "small": -1, "large": .int(.min), "number": 0.1,
                        "whole": 2, "flag": true, "texts": ["a", ""], "flags": [false], "lists": [[1], [2, 3]],
                        "object": ["inner": ["deep": 1.5]], "lines": [["price": 1], ["price": 2.5, "note": "n"]],
                        "state": "", "states": ["new", "in_use", "3rd"], "theme": "light",
                    ]
                )
            ],
            [row("values", ["small": 1, "large": .int(.max), "whole": 1e300, "lines": [], "state": "new"])],
        ]
    }

    struct Names: LooseEvent {
        let services: [EventService]
        static let examples = [
            [row("delete", Dictionary(uniqueKeysWithValues: keys.map { (ParameterKey($0), 1) }))],
            [row("3d_görünüm", [:]), row("STRING", ["String": ["Json": ["value": true]], "İı": "ş"])],
            [row("wire.event", ["items": [["items": [["items": 1]]]]])],
        ]

        private static let keys = [
            "__proto__", "3d", "arguments", "await", "class", "component1", "constructor", "copy", "event", "fun",
            "hashCode", "in", "item", "json", "name", "new", "object", "product", "toJson", "toString", "typealias",
            "value", "when", "wire", "yield", "ürün_adı", "a-b.c d",
        ]

        private static func row(_ name: String, _ parameters: [ParameterKey: ParameterValue]) -> EventService {
            let sorted = parameters.sorted { $0.key.name < $1.key.name }
            return AllKinds.row(name, EventParameters(sorted.map { ($0.key, $0.value) }))
        }
    }

    struct Commerce: LooseEvent {
        let services: [EventService]
        static let examples = [
            [
                EventService.firebase(
                    FirebaseEvent(
                        name: "view_item",
                        parameters: ["items": [["item_id": "7", "price": 24.9]], "is_new": true]
                    )
                )
            ],
            [.firebase(FirebaseEvent(name: "view_item", parameters: ["is_new": false, "session_id": 8]))],
        ]
    }
}
