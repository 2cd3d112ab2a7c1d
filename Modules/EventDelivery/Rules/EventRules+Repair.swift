public import CoreTracker

extension EventRules {
    /// Returns an event's parameters over its defaults, as the vendor takes them; each repair is reported by its rule.
    ///
    /// `reservedPlaces` is how many of the parameters' places the destination fills itself.
    public func repair(
        _ parameters: EventParameters,
        over defaults: EventParameters = [:],
        reservedPlaces: Int = 0,
        report: (_ rule: String) -> Void
    ) -> EventParameters {
        let repaired = repairMembers(of: defaults.merging(parameters), depth: 1, report)
        let surplus = repaired.count - max(0, maximumParameters - reservedPlaces)
        guard surplus > 0 else { return repaired }
        let keys = repaired.map(\.key)
        let defaultKeys = keys.filter { parameters[$0] == nil }
        let ownKeys = keys.filter { parameters[$0] != nil }
        let dropped = Set((defaultKeys.reversed() + ownKeys.reversed()).prefix(surplus))
        for _ in dropped { report("too_many_parameters") }
        return EventParameters(repaired.lazy.filter { !dropped.contains($0.key) }.map { ($0.key, $0.value) })
    }

    private func repairMembers(of parameters: EventParameters, depth: Int, _ report: (String) -> Void)
        -> EventParameters
    {
        var repaired = EventParameters()
        for parameter in parameters {
            if let fault = key.fault(in: parameter.key.name, isNested: depth > 1) {
                report("key_\(fault.rawValue)")
            } else if let value = repair(parameter.value, of: parameter.key.name, depth: depth, report) {
                repaired[parameter.key] = value
            }
        }
        return repaired
    }

    private func repair(
        _ value: ParameterValue,
        of key: String,
        depth: Int,
        _ report: (String) -> Void
    ) -> ParameterValue? {
        switch value {
        case .int: value
        case .bool(let flag): sendsBooleansAsNumbers ? .int(flag ? 1 : 0) : value
        case .string(let text): .string(cut(text, to: textLengths[key] ?? maximumTextLength, report))
        case .double(let number): number.isFinite ? value : refuse("value_not_finite", report)
        case .array(let elements): repair(elements, of: key, depth: depth, report)
        case .object(let members): repair(members, depth: depth, report)
        }
    }

    private func repair(
        _ elements: [ParameterValue],
        of key: String,
        depth: Int,
        _ report: (String) -> Void
    ) -> ParameterValue? {
        guard depth < JSONWriter.maximumDepth else { return refuse("value_too_deep", report) }
        switch nesting {
        case .free:
            return .array(elements.compactMap { repair($0, of: key, depth: depth + 1, report) })
        case .lists(let rules):
            guard depth == 1, let rule = rules[key] else { return refuse("value_nested", report) }
            if elements.count > rule.maximumElements { report("too_many_elements") }
            return .array(elements.prefix(rule.maximumElements).compactMap { repair($0, under: rule, report) })
        }
    }

    private func repair(_ members: EventParameters, depth: Int, _ report: (String) -> Void) -> ParameterValue? {
        guard depth < JSONWriter.maximumDepth else { return refuse("value_too_deep", report) }
        guard nesting == .free else { return refuse("value_nested", report) }
        return .object(repairMembers(of: members, depth: depth + 1, report))
    }

    private func repair(_ element: ParameterValue, under rule: ListRule, _ report: (String) -> Void) -> ParameterValue?
    {
        guard case .object(let members) = element else { return refuse("value_nested", report) }
        var others = 0
        let repaired = repairMembers(of: members, depth: 2, report).filter { member in
            if rule.knownKeys.contains(member.key.name) { return true }
            others += 1
            if others > rule.maximumOtherKeys { report("too_many_element_keys") }
            return others <= rule.maximumOtherKeys
        }
        return .object(EventParameters(repaired.map { ($0.key, $0.value) }))
    }

    private func refuse(_ rule: String, _ report: (String) -> Void) -> ParameterValue? {
        report(rule)
        return nil
    }

    private func cut(_ text: String, to length: Int, _ report: (String) -> Void) -> String {
        guard text.utf8.count > length, text.utf16.count > length else { return text }
        report("value_too_long")
        var rest = length
        let end = text.indices.first { index in
            rest -= text[index].utf16.count
            return rest < 0
        }
        return String(text[..<(end ?? text.endIndex)])
    }
}
