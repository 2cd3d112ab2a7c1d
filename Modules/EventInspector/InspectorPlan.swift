import Foundation
import LoopbackCollector

/// A tracking plan as a receiver knows it: the JSON Schemas that `Scripts/tracking-plan` writes, and its page.
public struct InspectorPlan: Sendable {
    /// What the plan says of one event at one service.
    struct Entry: Sendable {
        let product: String
        /// The event's type, such as `DLOrderPlaced`.
        let event: String
        /// The event's name among people.
        let title: String
        /// The place of the service among those of the event, from 0.
        let call: Int
        /// The JSON Schema of the parameters.
        let parameters: CollectedValue
    }

    /// The comment that stands in the plan's page where the count of an event belongs.
    ///
    /// Its names are escaped as the page's writer escapes them.
    static func marker(product: String, event: String) -> String {
        let names = "\(product) \(event)".replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
        return "<!-- seen \(names) -->"
    }

    /// The plan's page; `nil` where there is none.
    let page: String?
    private var entries: [String: [Entry]] = [:]
    private(set) var events: [(product: String, event: String)] = []

    /// Whether the plan has no events.
    public var isEmpty: Bool { events.isEmpty }

    /// Creates an empty plan, to which no event is held.
    public init() {
        page = nil
    }

    /// Reads the files of a folder; what is no file of a plan is passed over.
    public init(folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let contents = { (name: String) in FileManager.default.contents(atPath: "\(folder)/\(name)").map(Array.init) }
        page = contents("tracking-plan.html").map { String(decoding: $0, as: UTF8.self) }
        for name in names.sorted() where name.hasSuffix(".schema.json") {
            if let schema = contents(name).flatMap(CollectedValue.init) { add(schema) }
        }
    }

    /// Reads one schema.
    init(schema: CollectedValue, page: String? = nil) {
        self.page = page
        add(schema)
    }

    /// What the plan says of a name at a service, for one product or for all.
    func entries(service: String, name: String, product: String?) -> [Entry] {
        (entries["\(service) \(name)"] ?? []).filter { product == nil || $0.product == product }
    }

    /// Whether the plan speaks of a product's events at a service at all.
    func covers(service: String, product: String?) -> Bool {
        covered.contains("\(service) \(product ?? "")")
    }

    private var covered: Set<String> = []

    private mutating func add(_ schema: CollectedValue) {
        guard case .array(let references)? = schema["oneOf"], let definitions = schema["$defs"] else { return }
        var called: [String: [String]] = [:]
        for reference in references {
            let name = reference["$ref"]?.string.map { String($0.dropFirst("#/$defs/".count)) } ?? ""
            guard let entry = definitions[name.removingPercentEncoding ?? name], let event = entry["x-event"]?.string,
                let product = entry["x-product"]?.string, let properties = entry["properties"],
                let service = properties["service"]?["const"]?.string, let wire = properties["name"]?["const"]?.string
            else { continue }
            if called[event] == nil { events.append((product, event)) }
            // An event can have another name at the same service, as one that adds and removes has.
            if !called[event, default: []].contains(service) { called[event, default: []].append(service) }
            let call = called[event]?.firstIndex(of: service) ?? 0
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
