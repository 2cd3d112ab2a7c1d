import Foundation
import LoopbackCollector

/// An error about a folder that should contain a tracking plan.
package enum InspectorPlanError: Error, Hashable, CustomStringConvertible {
    /// The folder is missing, or has no schema of a plan.
    case noPlan(folder: String)
    /// A schema is not valid JSON, for example because only half of it is written.
    case unreadable(schema: String, folder: String)

    package var description: String {
        switch self {
        case .noPlan(let folder): "\(folder) has no tracking plan (*.schema.json)"
        case .unreadable(let schema, let folder): "\(folder) has a schema that cannot be read: \(schema)"
        }
    }
}

/// A tracking plan, which consists of the JSON Schemas and the page that `Scripts/tracking-plan` writes.
package struct InspectorPlan: Sendable {
    /// The plan of one event at one service.
    struct Entry: Sendable {
        let product: String
        /// The event's type, such as `DLOrderPlaced`.
        let event: String
        /// The event's title for people.
        let title: String
        /// The position of the service among the event's services, from 0.
        let call: Int
        /// The JSON Schema of the parameters.
        let parameters: CollectedValue
    }

    /// Returns the placeholder for an event's count: a comment in the plan's page.
    ///
    /// The names are escaped in the same way as by the writer of the page.
    static func marker(product: String, event: String) -> String {
        let names = "\(product) \(event)".unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(scalar)
            }
        }
        return "<!-- seen \(names.joined()) -->"
    }

    /// The page of the plan, or `nil` if there is none.
    let page: String?
    private(set) var events: [(product: String, event: String)] = []
    private var entries: [String: [Entry]] = [:]
    private var covered: Set<String> = []

    /// Creates an empty plan.
    ///
    /// Events are not compared with it.
    package init() {
        page = nil
    }

    /// Creates a plan from the files of a folder.
    ///
    /// All files other than plan files are ignored.
    ///
    /// - Parameter folder: The path of the folder.
    /// - Throws: `InspectorPlanError` if the folder has no plan, or if a schema cannot be read.
    package init(folder: String) throws(InspectorPlanError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let contents = { (name: String) in FileManager.default.contents(atPath: "\(folder)/\(name)").map(Array.init) }
        page = contents("tracking-plan.html").map { String(decoding: $0, as: UTF8.self) }
        for name in names.sorted() where name.hasSuffix(".schema.json") {
            guard let schema = contents(name).flatMap(CollectedValue.init) else {
                throw .unreadable(schema: name, folder: folder)
            }
            add(schema)
        }
        if events.isEmpty { throw .noPlan(folder: folder) }
    }

    /// Creates a plan from one schema.
    init(schema: CollectedValue, page: String? = nil) {
        self.page = page
        add(schema)
    }

    /// Returns the planned events with a name at a service, for one product or for all products.
    func entries(service: String, name: String, product: String?) -> [Entry] {
        (entries["\(service) \(name)"] ?? []).filter { product == nil || $0.product == product }
    }

    /// Returns whether the plan has any event of a product at a service.
    func covers(service: String, product: String?) -> Bool {
        covered.contains("\(service) \(product ?? "")")
    }

    /// Returns the definition to which a reference points, by a JSON pointer in a URI fragment (RFC 6901).
    private static func definition(of reference: CollectedValue, in definitions: CollectedValue) -> CollectedValue? {
        let name = reference["$ref"]?.string.map { String($0.dropFirst("#/$defs/".count)) } ?? ""
        let pointer = name.removingPercentEncoding ?? name
        return definitions[pointer.replacing("~1", with: "/").replacing("~0", with: "~")]
    }

    private mutating func add(_ schema: CollectedValue) {
        guard case .array(let references)? = schema["anyOf"], let definitions = schema["$defs"] else { return }
        var called: [String: [String]] = [:]
        for reference in references {
            guard let entry = InspectorPlan.definition(of: reference, in: definitions),
                let event = entry["x-event"]?.string, let product = entry["x-product"]?.string,
                let properties = entry["properties"],
                let service = properties["service"]?["const"]?.string, let wire = properties["name"]?["const"]?.string
            else { continue }
            let address = "\(product) \(event)"
            if called[address] == nil { events.append((product, event)) }
            // An event can use several names at a service, such as one for adding and one for removing.
            if !called[address, default: []].contains(service) { called[address, default: []].append(service) }
            let call = called[address]?.firstIndex(of: service) ?? 0
            covered.formUnion(["\(service) \(product)", "\(service) "])
            entries["\(service) \(wire)", default: []].append(
                Entry(
                    product: product,
                    event: event,
                    title: entry["title"]?.string ?? event,
                    call: call,
                    parameters: properties["parameters"] ?? .object([:])
                )
            )
        }
    }
}
