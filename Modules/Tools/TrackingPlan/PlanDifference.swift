/// The changes between two plans, from the perspective of the systems that depend on the events.
///
/// An event is identified by its product, service and name, regardless of its type and module. ``PlanChange/Platform``
/// describes which changes break which platform.
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

    /// Whether any change breaks a platform.
    var breaksConsumers: Bool { changes.contains(where: \.breaksConsumers) }

    /// Compares two plans.
    init(from old: Plan, to new: Plan) {
        let (old, new) = (PlanDifference.events(of: old), PlanDifference.events(of: new))
        changes = Set(old.keys).union(new.keys).sorted().flatMap { address -> [PlanChange] in
            switch (old[address], new[address]) {
            case (let old?, let new?): PlanDifference.changes(of: "\(address)", from: old, to: new)
            case (_?, nil): [PlanChange("\(address): the event was removed", breaks: PlanChange.all)]
            default: [PlanChange("\(address): the event was added")]
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
            case (let old?, nil):
                let isRenamed = newKeys.contains { oldKeys[$0] == nil && old.isSameForCallers(as: $1) }
                return [PlanChange("\(subject) was removed", breaks: isRenamed ? [.receivers] : PlanChange.all)]
            case (nil, let new?):
                let isRenamed = oldKeys.contains { newKeys[$0] == nil && $1.isSameForCallers(as: new) }
                return [
                    PlanChange("\(subject) was added", breaks: new.isStated && !isRenamed ? PlanChange.callers : [])
                ]
            default: return []
            }
        }
        let notes: [(String, KeyPath<PlanEntry, String>)] = [
            ("name", \.title), ("owner", \.owner), ("purpose", \.purpose), ("module", \.module), ("type", \.event),
            ("rules", \.rules),
        ]
        for (title, path) in notes where old[keyPath: path] != new[keyPath: path] {
            let text = "\(event): the \(title) changed from “\(old[keyPath: path])” to “\(new[keyPath: path])”"
            changes.append(PlanChange(text))
        }
        return changes
    }

    /// A key of an event.
    private struct Key {
        /// The path in the generated code, such as `items[].itemId`.
        let name: String
        let schema: ValueSchema
        let isAlways: Bool

        /// Whether a caller must state a value.
        var isStated: Bool { isAlways && schema.isStated }

        /// Whether the generated code is the same for both keys, except for the name that it sends.
        func isSameForCallers(as other: Key) -> Bool {
            (name, schema.typeText, schema.values, isStated)
                == (other.name, other.schema.typeText, other.schema.values, other.isStated)
        }
    }

    private static func keys(of entry: PlanEntry) -> [String: Key] {
        entry.parameters.keys().reduce(into: [:]) { keys, key in
            let names = key.path.split(separator: ".").map { part in
                (try? ContractName.member("\(part)", in: "")) ?? "\(part)"
            }
            keys[key.path] = Key(name: names.joined(separator: "."), schema: key.schema, isAlways: key.isAlways)
        }
    }

    private static func changes(of key: String, from old: Key, to new: Key) -> [PlanChange] {
        var changes: [PlanChange] = []
        let (oldType, newType) = (old.schema.typeText, new.schema.typeText)
        if oldType != newType {
            // A TypeScript caller with a number also fits an integer, which is a number or a bigint.
            let fits = (oldType, newType) == ("number", "integer")
            let breaks: Set<PlanChange.Platform> = new.schema.isNarrower(than: old.schema) ? [] : [.receivers]
            let text = "\(key) changed from \(oldType) to \(newType)"
            changes.append(PlanChange(text, breaks: breaks.union(fits ? [.kotlin] : PlanChange.callers)))
        }
        if old.isAlways != new.isAlways {
            let text = new.isAlways ? "\(key) is now always present" : "\(key) is no longer always present"
            changes.append(
                PlanChange(text, breaks: old.isAlways ? [.receivers] : new.isStated ? PlanChange.callers : [])
            )
        } else if !old.isStated, new.isStated, old.isAlways {
            changes.append(PlanChange("\(key) no longer has a default", breaks: PlanChange.callers))
        }
        if old.schema.values != new.schema.values {
            let lost = old.schema.values.filter { !new.schema.values.contains($0) }
            let isWider = new.schema.values.isEmpty
            let text = new.schema.values.map { "“\($0)”" }.joined(separator: ", ")
            // A choice becomes a text in Kotlin only by another type; TypeScript's texts stay texts.
            let breaks: Set<PlanChange.Platform> =
                isWider ? [.kotlin] : old.schema.values.isEmpty || !lost.isEmpty ? PlanChange.callers : []
            changes.append(
                PlanChange("\(key) \(isWider ? "may now be any text" : "is now one of \(text)")", breaks: breaks)
            )
        }
        if old.schema.policy != new.schema.policy {
            let (before, after) = (old.schema.policy ?? "none", new.schema.policy ?? "none")
            changes.append(PlanChange("\(key) changed its policy from \(before) to \(after)", breaks: [.receivers]))
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
    /// A system that may have to change with the plan.
    ///
    /// A receiver breaks if an event or a key is removed or renamed. It also breaks if a key becomes optional, or if a
    /// value gets another type or policy. Callers of the generated Kotlin and TypeScript break if an event
    /// or a parameter is removed. They also break if a parameter gets another type or fewer allowed values, or if a
    /// parameter is required that was not before. If only the name on the wire changes, their code stays. Swift is not
    /// among them: the plan follows its events, and its compiler has checked their callers.
    enum Platform: String, Hashable, CaseIterable {
        case receivers
        case kotlin = "Kotlin"
        case typeScript = "TypeScript"
    }

    /// All platforms.
    static let all = Set(Platform.allCases)
    /// The callers of the generated code.
    static let callers: Set<Platform> = [.kotlin, .typeScript]

    /// The description of the change.
    let text: String
    /// The platforms that it breaks.
    let breaks: Set<Platform>

    /// Creates a change.
    init(_ text: String, breaks: Set<Platform> = []) {
        self.text = text
        self.breaks = breaks
    }

    /// Whether it breaks any platform.
    var breaksConsumers: Bool { !breaks.isEmpty }

    /// The names of the platforms, always in the same order.
    var platforms: String { Platform.allCases.filter(breaks.contains).map(\.rawValue).joined(separator: ", ") }
}

extension PlanChange: CustomStringConvertible {
    var description: String { breaksConsumers ? "BREAKS \(text) (\(platforms))" : "       \(text)" }
}
