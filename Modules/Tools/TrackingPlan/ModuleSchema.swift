import Foundation

/// A JSON Schema of one module's entries, with which a receiver can validate events.
///
/// A valid document is an object with `service`, `name` and `parameters`. Keys with the prefix `x-` are annotations.
struct ModuleSchema: Codable {
    /// A schema of one entry.
    struct Definition: Codable {
        /// A schema of a constant string.
        struct Constant: Codable {
            let const: String
        }

        /// The properties of a document.
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

    /// A reference to a definition of this document.
    struct Reference: Codable {
        private enum CodingKeys: String, CodingKey {
            case path = "$ref"
        }

        private static let root = "#/$defs/"

        let path: String

        /// Creates a reference, which is a JSON pointer in a URI fragment.
        init(to definition: String) {
            let token = definition.replacing("~", with: "~0").replacing("/", with: "~1")
            path = Reference.root + (token.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? token)
        }

        /// The name of the definition.
        var definition: String {
            let token = String(path.dropFirst(Reference.root.count))
            return (token.removingPercentEncoding ?? token).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }

    private enum CodingKeys: String, CodingKey {
        case dialect = "$schema"
        case definitions = "$defs"
        case title, anyOf
    }

    let dialect: String
    let title: String
    let anyOf: [Reference]
    let definitions: [String: Definition]

    /// Creates the schema of a module from its entries.
    init(module: String, entries: [PlanEntry]) {
        dialect = "https://json-schema.org/draft/2020-12/schema"
        title = module
        let names = entries.map { "\($0.product).\($0.event).\($0.service).\($0.name)" }
        anyOf = names.map(Reference.init)
        definitions = Dictionary(zip(names, entries.map(Definition.init))) { first, _ in first }
    }

    /// The entries, in their original order.
    var entries: [PlanEntry] {
        anyOf.compactMap { definitions[$0.definition]?.entry }
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

    /// The original entry.
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
