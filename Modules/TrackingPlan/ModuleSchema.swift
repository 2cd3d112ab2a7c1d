import Foundation

/// The entries of one module as a JSON Schema, by which a receiver can check what it gets.
///
/// A document that matches is an object with `service`, `name` and `parameters`. Keys that begin with `x-` are notes.
struct ModuleSchema: Codable {
    /// The schema of one entry.
    struct Definition: Codable {
        /// The schema of one fixed text.
        struct Constant: Codable {
            let const: String
        }

        /// The members of a document.
        struct Properties: Codable {
            let service: Constant
            let name: Constant
            let parameters: ValueSchema
        }

        private enum CodingKeys: String, CodingKey {
            case title, description, type, properties, required
            case event = "x-event"
            case owner = "x-owner"
            case product = "x-product"
            case module = "x-module"
            case rules = "x-rules"
        }

        let title: String
        let description: String
        let type: String
        let properties: Properties
        let required: [String]
        let event: String
        let owner: String
        let product: String
        let module: String
        let rules: String
    }

    /// A place in this document.
    struct Reference: Codable {
        private enum CodingKeys: String, CodingKey {
            case path = "$ref"
        }

        private static let root = "#/$defs/"

        let path: String

        /// Names a definition, as a JSON pointer in the fragment of a URI.
        init(to definition: String) {
            let token = definition.replacing("~", with: "~0").replacing("/", with: "~1")
            path = Reference.root + (token.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? token)
        }

        /// The definition that is named.
        var definition: String {
            let token = String(path.dropFirst(Reference.root.count))
            return (token.removingPercentEncoding ?? token).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }

    private enum CodingKeys: String, CodingKey {
        case dialect = "$schema"
        case definitions = "$defs"
        case title, oneOf
    }

    let dialect: String
    let title: String
    let oneOf: [Reference]
    let definitions: [String: Definition]

    /// Writes the entries of one module.
    init(module: String, entries: [PlanEntry]) {
        dialect = "https://json-schema.org/draft/2020-12/schema"
        title = module
        let names = entries.map { "\($0.event).\($0.service).\($0.name)" }
        oneOf = names.map(Reference.init)
        definitions = Dictionary(zip(names, entries.map(Definition.init))) { first, _ in first }
    }

    /// The entries, in the order in which they were written.
    var entries: [PlanEntry] {
        oneOf.compactMap { definitions[$0.definition]?.entry }
    }
}

extension ModuleSchema.Definition {
    init(_ entry: PlanEntry) {
        self.init(
            title: entry.title,
            description: entry.purpose,
            type: "object",
            properties: Properties(
                service: Constant(const: entry.service),
                name: Constant(const: entry.name),
                parameters: entry.parameters
            ),
            required: ["service", "name", "parameters"],
            event: entry.event,
            owner: entry.owner,
            product: entry.product,
            module: entry.module,
            rules: entry.rules
        )
    }

    /// The entry that was written.
    var entry: PlanEntry {
        PlanEntry(
            product: product,
            module: module,
            event: event,
            title: title,
            owner: owner,
            purpose: description,
            service: properties.service.const,
            name: properties.name.const,
            rules: rules,
            parameters: properties.parameters
        )
    }
}
