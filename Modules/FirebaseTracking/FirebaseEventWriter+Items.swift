import CoreTracker
import EventDelivery

extension FirebaseEventWriter {
    /// Writes the parameter `items`; answers whether an item is left of it.
    func writeItems(_ value: ParameterValue, under rule: ListRule, into encoder: inout EventEncoder) -> Bool {
        let start = encoder.json.mark
        encoder.json.key(fixed: "items")
        encoder.json.beginArray()
        var count = 0
        if case .array(let elements) = value {
            for element in elements {
                guard count < rule.maximumElements else {
                    encoder.repaired(.tooManyElements)
                    break
                }
                if writeItem(element, under: rule, into: &encoder) { count += 1 }
            }
        }
        encoder.json.endArray()
        if count == 0 {
            encoder.json.rewind(to: start)
            encoder.repaired(.itemsEmpty)
        }
        return count > 0
    }

    private func writeItem(_ item: ParameterValue, under rule: ListRule, into encoder: inout EventEncoder) -> Bool {
        let start = encoder.json.mark
        var isIdentified = false
        if case .object(let parameters) = item {
            // Only an item with more parameters than custom ones are allowed can have too many of these.
            var freePlaces = parameters.count > rule.maximumOtherKeys ? rule.maximumOtherKeys : .max
            encoder.json.beginObject()
            for parameter in parameters {
                let isWritten = writeMember(parameter, under: rule, freePlaces: &freePlaces, into: &encoder)
                if isWritten, parameter.identifiesItem { isIdentified = true }
            }
            encoder.json.endObject()
        }
        if !isIdentified {
            encoder.json.rewind(to: start)
            encoder.repaired(.itemInvalid)
        }
        return isIdentified
    }

    private func writeMember(
        _ parameter: EventParameters.Element,
        under rule: ListRule,
        freePlaces: inout Int,
        into encoder: inout EventEncoder
    ) -> Bool {
        let name = parameter.key.name
        if let fault = rules.key.fault(in: name, isNested: true) {
            encoder.repaired("key_\(fault.rawValue)")
            return false
        }
        let isCustom = freePlaces < .max && !rule.knownKeys.contains(name)
        guard !isCustom || freePlaces > 0 else {
            encoder.repaired(.tooManyElementKeys)
            return false
        }
        let isWritten = writeScalar(name, parameter.value, into: &encoder)
        if isWritten, isCustom { freePlaces -= 1 }
        return isWritten
    }
}

extension EventParameters.Element {
    /// Whether this is one of the two parameters of which an item needs one.
    fileprivate var identifiesItem: Bool {
        (key.name == "item_id" || key.name == "item_name") && value != .string("")
    }
}
