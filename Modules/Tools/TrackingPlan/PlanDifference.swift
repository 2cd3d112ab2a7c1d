/// The changes between two plans, from the perspective of systems that consume the events.
///
/// An event is identified by its product, service and name, regardless of its type and module. Consumers break if an
/// event or a key is removed, if a key is no longer always present, or if the type of a value changes. Additions do not
/// break them.
struct PlanDifference: Hashable {
    /// The values by which consumers identify an event.
    private struct Address: Hashable, Comparable, CustomStringConvertible {
        let product: String
        let service: String
        let name: String

        var description: String { "\(product) \(service) \(name)" }

        static func < (left: Address, right: Address) -> Bool {
            (left.product, left.service, left.name) < (right.product, right.service, right.name)
        }
    }

    /// The changes, ordered by event.
    let changes: [PlanChange]

    /// Whether any change breaks consumers.
    var breaksConsumers: Bool { changes.contains(where: \.breaksConsumers) }

    /// Compares two plans.
    init(from old: Plan, to new: Plan) {
        let (old, new) = (PlanDifference.events(of: old), PlanDifference.events(of: new))
        changes = Set(old.keys).union(new.keys).sorted().flatMap { address -> [PlanChange] in
            switch (old[address], new[address]) {
            case (let old?, let new?): PlanDifference.changes(of: "\(address)", from: old, to: new)
            case (_?, nil): [PlanChange(text: "\(address): the event was removed", breaksConsumers: true)]
            default: [PlanChange(text: "\(address): the event was added", breaksConsumers: false)]
            }
        }
    }

    /// Returns the events by address.
    private static func events(of plan: Plan) -> [Address: PlanEntry] {
        plan.received.reduce(into: [:]) { events, entry in
            events[Address(product: entry.product, service: entry.service, name: entry.name)] = entry
        }
    }

    private static func changes(of event: String, from old: PlanEntry, to new: PlanEntry) -> [PlanChange] {
        let (oldKeys, newKeys) = (keys(of: old), keys(of: new))
        var changes = Set(oldKeys.keys).union(newKeys.keys).sorted().flatMap { path -> [PlanChange] in
            let subject = "\(event): \(path)"
            switch (oldKeys[path], newKeys[path]) {
            case (let old?, let new?): return PlanDifference.changes(of: subject, from: old, to: new)
            case (_?, nil): return [PlanChange(text: "\(subject) was removed", breaksConsumers: true)]
            default: return [PlanChange(text: "\(subject) was added", breaksConsumers: false)]
            }
        }
        let notes: [(String, KeyPath<PlanEntry, String>)] = [
            ("name", \.title), ("owner", \.owner), ("purpose", \.purpose), ("module", \.module), ("type", \.event),
            ("rules", \.rules),
        ]
        for (title, path) in notes where old[keyPath: path] != new[keyPath: path] {
            let text = "\(event): the \(title) changed from “\(old[keyPath: path])” to “\(new[keyPath: path])”"
            changes.append(PlanChange(text: text, breaksConsumers: false))
        }
        return changes
    }

    private typealias Key = (schema: ValueSchema, isAlways: Bool)

    private static func keys(of entry: PlanEntry) -> [String: Key] {
        Dictionary(entry.parameters.keys().map { ($0.path, ($0.schema, $0.isAlways)) }) { first, _ in first }
    }

    private static func changes(of key: String, from old: Key, to new: Key) -> [PlanChange] {
        var changes: [PlanChange] = []
        let (oldType, newType) = (old.schema.typeText, new.schema.typeText)
        if oldType != newType {
            let text = "\(key) changed from \(oldType) to \(newType)"
            changes.append(PlanChange(text: text, breaksConsumers: !new.schema.isNarrower(than: old.schema)))
        }
        if old.isAlways != new.isAlways {
            let text = new.isAlways ? "\(key) is now always present" : "\(key) is no longer always present"
            changes.append(PlanChange(text: text, breaksConsumers: old.isAlways))
        }
        if old.schema.policy != new.schema.policy {
            let (before, after) = (old.schema.policy ?? "none", new.schema.policy ?? "none")
            let text = "\(key) changed its policy from \(before) to \(after)"
            changes.append(PlanChange(text: text, breaksConsumers: true))
        }
        return changes
    }
}

extension ValueSchema {
    /// Returns whether each type of this schema is also allowed by another schema.
    fileprivate func isNarrower(than other: ValueSchema) -> Bool {
        types.allSatisfy { type in
            other.types.contains(type) || type == "integer" && other.types.contains("number")
        }
            && zip(elements, other.elements).allSatisfy { $0.isNarrower(than: $1) }
    }
}

/// A difference between two plans.
struct PlanChange: Hashable {
    /// The description of the change.
    let text: String
    /// Whether systems that consume the events may have to change too.
    let breaksConsumers: Bool
}

extension PlanChange: CustomStringConvertible {
    var description: String { "\(breaksConsumers ? "BREAKS " : "       ")\(text)" }
}
