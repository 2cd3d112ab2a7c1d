import LoopbackCollector

/// A comparison of one received event of each product, which shows the products' default parameters.
struct SideBySide {
    private let left: (product: Product, event: CollectedEvent)
    private let right: (product: Product, event: CollectedEvent)

    /// Finds the product view event of each product.
    ///
    /// Returns `nil` if one is missing.
    init?(_ events: [CollectedEvent]) {
        func first(of product: Product) -> CollectedEvent? {
            let name = product == .dolapLite ? "product_viewed" : "pdp_view"
            return events.first { $0.json["product"] == .string(product.rawValue) && $0.name == name }
        }
        guard let left = first(of: .dolapLite), let right = first(of: .trendyol) else { return nil }
        self.left = (.dolapLite, left)
        self.right = (.trendyol, right)
    }

    /// The two events as a table that marks differences.
    var text: String {
        var table = TextTable([
            ("", .left), (left.product.name, .left), ("", .left), (right.product.name, .left),
        ])
        let (left, right) = (SideBySide.members(of: left.event), SideBySide.members(of: right.event))
        for key in Set(left.map(\.key) + right.map(\.key)).sorted(by: SideBySide.isBefore) {
            let (first, second) = (SideBySide.value(key, in: left), SideBySide.value(key, in: right))
            table.add([key, first, first == second ? "=" : "≠", second])
        }
        return table.text
    }

    /// Sorts the row's columns by name, followed by the parameters from their column.
    private static func isBefore(_ first: String, _ second: String) -> Bool {
        (first.hasPrefix("props.") ? 1 : 0, first) < (second.hasPrefix("props.") ? 1 : 0, second)
    }

    private typealias Member = (key: String, value: String)

    private static func value(_ key: String, in members: [Member]) -> String {
        members.first { $0.key == key }?.value.shortened(to: 44) ?? "–"
    }

    /// Returns the columns of the row, and the parameters from its JSON column.
    private static func members(of event: CollectedEvent) -> [Member] {
        guard case .object(let columns) = event.json else { return [] }
        var members = columns.filter { $0.key != "props" }.map { ($0.key, text(of: $0.value)) }
        if let properties = event.json["props"]?.string,
            case .object(let values) = CollectedValue(Array(properties.utf8))
        {
            members += values.map { ("props." + $0.key, text(of: $0.value)) }
        }
        return members
    }

    private static func text(of value: CollectedValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text.printable
        case .array(let elements): "[" + elements.map(text(of:)).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.sorted { $0.key < $1.key }.map { "\($0.key): \(text(of: $0.value))" }.joined(separator: ", ")
                + "}"
        }
    }
}
