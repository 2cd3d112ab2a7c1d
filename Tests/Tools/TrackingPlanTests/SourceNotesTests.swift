import Foundation
import Testing

@testable import TrackingPlan

@Suite struct SourceNotesTests {
    private func notes(_ sources: (module: String, text: String)...) -> SourceNotes {
        var notes = SourceNotes()
        for source in sources { notes.read(source.text, module: source.module) }
        return notes
    }

    private func key(_ name: String, in notes: SourceNotes) -> PlanNotes.Key? {
        let place = PlanNotes.Place(
            product: "AC",
            module: "ACShop",
            service: "firebase",
            products: ["AC", "ZZ"],
            services: ["firebase", "braze"]
        )
        return notes.key(name, in: place)
    }

    @Test func `a key has the first paragraph of its comment`() {
        let notes = notes(
            (
                "ACShop",
                """
                extension EventParameter {
                    /// How many `pieces`
                    /// there are.
                    ///
                    /// More about it.
                    static let pieces = Key<Int>("piece_count")
                    static let silent = Key<Int>("silent")
                }
                """
            )
        )

        #expect(key("piece_count", in: notes) == PlanNotes.Key(meaning: "How many pieces there are.", values: []))
        #expect(key("silent", in: notes) == nil && key("pieces", in: notes) == nil)
    }

    @Test func `a module's own key takes precedence over its product's, and that over one of no product`() {
        func text(_ meaning: String) -> String { "/// \(meaning)\nstatic let price = Key<Double>(\"price\")" }
        let (own, product) = (("ACShop", text("own")), ("ACTracker", text("product")))
        let (service, other) = (("Service", text("service")), ("ZZShop", text("other")))

        #expect(key("price", in: notes(other, service, product, own))?.meaning == "own")
        #expect(key("price", in: notes(other, service, product))?.meaning == "product")
        #expect(key("price", in: notes(other, service))?.meaning == "service")
        #expect(key("price", in: notes(other)) == nil)
    }

    @Test func `a meaning for another service is used only if there is no other`() {
        let text = """
            /// Braze: how much.
            static let cost = Key<Double>("price")
            /// Firebase: the price.
            static let price = Key<Double>("price")
            /// Braze: who.
            static let user = Key<String>("user")
            /// Note: all in all.
            static let total = Key<String>("total")
            """

        let notes = notes(("ACShop", text))

        #expect(key("price", in: notes)?.meaning == "The price.")
        #expect(key("user", in: notes)?.meaning == "Braze: who.")
        #expect(key("total", in: notes)?.meaning == "Note: all in all.")
    }

    @Test func `the allowed values of a key are the cases of its type, even of a nested one`() {
        let notes = notes(
            (
                "ACShop",
                """
                public struct Basket {
                    /// A change.
                    public enum Change: String, Hashable {
                        /// Into it.
                        case added = "add", filled
                        case `default`

                        var sign: Int {
                            switch self {
                            case added: 1
                            }
                        }
                    }
                    enum Count: Int {
                        case one
                    }
                }
                /// Which way.
                static let ways = Key<[Basket.Change]>("ways")
                /// A number.
                static let count = Key<Basket.Count>("count")
                """
            )
        )

        let values = [("add", "Into it."), ("filled", "Into it."), ("default", "")]
            .map { PlanNotes.AllowedValue(value: $0.0, meaning: $0.1) }
        #expect(key("ways", in: notes)?.values == values)
        #expect(key("count", in: notes)?.values == [])
        #expect(notes.meaning(ofType: "Basket.Change", in: "ACShop") == "A change.")
    }

    @Test(
        arguments: [
            ("case shoes, bags,\n        hats,\n        belts\n    case a", ["shoes", "bags", "hats", "belts", "a"]),
            (#"case both = "shirts, tops", eq = "a = b", none = """#, ["shirts, tops", "a = b", ""]),
            (#"case link = "a//b"  // a comment, with “=”"#, ["a//b"]),
            (##"case raw = #"a"#"##, []),
            (#"case escaped = "a\tb""#, []),
            ("case shoes,  // a comment\n        hats", []),
            ("case shoes; case hats", []),
            ("@available(*, deprecated) case old\n    case new", []),
            ("case new\n    #if DEBUG\n        case test\n    #endif", []),
        ] as [(String, [String])]
    )
    func `all cases are allowed, or any value if a declaration is not understood`(cases: String, values: [String]) {
        let source = """
            enum Kind: String {
                \(cases)
            }
            /// What it is.
            static let kind = Key<Kind>("kind")
            """

        let key = key("kind", in: notes(("ACShop", source)))

        #expect(key?.values.map(\.value) == values)
    }

    @Test func `a folder's modules are read, and a missing folder is an error`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let module = folder.appending(path: "ACShop/Events")
        try FileManager.default.createDirectory(at: module, withIntermediateDirectories: true)
        let text = "/// An order came.\n@frozen\npublic struct Ordered: PlannedEvent {\n}\n"
        try Data(text.utf8).write(to: module.appending(path: "Ordered.swift"))

        let notes = SourceNotes(in: try SourceFile.all(in: [folder]))

        #expect(notes.meaning(ofType: "Ordered", in: "ACShop") == "An order came.")
        #expect(throws: (any Error).self) { try SourceFile.all(in: [folder.appending(path: "none")]) }
    }
}
