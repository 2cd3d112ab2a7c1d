/// Braze's rules for `/users/track` and `/users/identify`.
///
/// Sources:
/// - https://www.braze.com/docs/api/endpoints/user_data/post_user_track (identifiers, number of objects, responses)
/// - https://www.braze.com/docs/api/objects_filters/event_object (members, names, values)
/// - https://www.braze.com/docs/api/objects_filters/user_attributes_object and
///   https://github.com/braze-inc/braze-docs/issues/12315 of 2026-02-26 (attributes; 500 elements, while older pages
///   name 25 or 100 as a workspace's setting)
/// - https://www.braze.com/docs/api/objects_filters/purchase_object
/// - https://github.com/braze-inc/braze-docs/issues/11804 of 2026-01-30 (names and keys: 255 characters or 479 bytes)
/// - https://www.braze.com/docs/api/endpoints/user_data/post_user_identify
/// - https://www.braze.com/docs/api/objects_filters/user_alias_object (names and labels of at most 236 bytes)
/// - https://www.braze.com/docs/user_guide/data/activation/events/recommended_events (schemas, 100 KB of properties)
/// - https://www.braze.com/docs/user_guide/data/activation/attributes/nested_custom_attribute_support (nested keys)
/// - https://www.braze.com/docs/api/api_limits (75 objects, 4 MB) and https://www.braze.com/docs/api/errors
///
/// Braze truncates a long name or text and responds with success. These rules report that as a fault too.
private enum BrazeRules {
    static let maximumBodyBytes = 4_000_000
    static let maximumObjects = 75
    static let maximumAliases = 50
    static let maximumNameLength = 255
    static let maximumNameBytes = 479
    static let maximumTextLength = 255
    static let maximumProperties = 256
    static let maximumPropertyBytes = 102_400
    static let maximumUserIDBytes = 987
    static let maximumAliasBytes = 236
    static let maximumElements = 500
    /// The ways to identify a user, of which each object needs exactly one.
    static let identifiers = ["braze_id", "email", "external_id", "phone", "user_alias"]
    static let eventMembers = Set(identifiers + ["_update_existing_only", "app_id", "name", "properties", "time"])
    static let purchaseMembers = eventMembers.subtracting(["name"]).union([
        "currency", "price", "product_id", "quantity",
    ])
    static let reservedProperties: Set<String> = ["event_name", "time"]

    /// The top-level properties of a recommended event.
    struct Schema {
        let required: Set<String>
        let optional: Set<String>

        init(_ required: Set<String>, optional: Set<String>) {
            self.required = required.union(["currency", "source"])
            self.optional = optional.union(["metadata"])
        }
    }

    static let schemas: [String: Schema] = [
        "ecommerce.product_viewed": Schema(
            ["price", "product_id", "product_name", "variant_id"],
            optional: ["image_url", "product_url", "type"]
        ),
        // The total value is optional if only lines are added or removed.
        "ecommerce.cart_updated": Schema(
            ["cart_id", "products"],
            optional: ["action", "shipping", "subtotal_value", "tax", "total_value"]
        ),
        "ecommerce.checkout_started": Schema(
            ["checkout_id", "products", "total_value"],
            optional: ["cart_id", "shipping", "subtotal_value", "tax"]
        ),
        "ecommerce.order_placed": Schema(
            ["order_id", "products", "total_value"],
            optional: ["cart_id", "discounts", "shipping", "subtotal_value", "tax", "total_discounts"]
        ),
        "ecommerce.order_cancelled": Schema(
            ["cancel_reason", "order_id", "products", "total_value"],
            optional: ["discounts", "shipping", "subtotal_value", "tax", "total_discounts"]
        ),
        "ecommerce.order_refunded": Schema(
            ["order_id", "products", "total_value"],
            optional: ["discounts", "total_discounts"]
        ),
    ]
}

extension ReceiverRules {
    /// The rules of Braze, with its response for each kind of fault.
    ///
    /// A faulty object is left out and named in `errors`. If no object is valid, or the request itself is faulty, the
    /// response is 400, 401 or 413.
    public static let braze = ReceiverRules(name: "Braze") { head, body, _ in
        var checker = FieldChecker()
        checker.checkBraze(head, body)
        return checker.messages
    } response: { request, messages in
        if let fault = messages.first(where: { $0.event == nil }) {
            let status = fault.response?.status ?? 400
            let code = fault.response?.code ?? ""
            return .json(status, "{\"message\":\"\((code.isEmpty ? fault.description : code).jsonEscaped)\"}")
        }
        let isIdentifying = request.path.hasSuffix("/users/identify")
        let arrays = isIdentifying ? ["aliases_to_identify"] : ["attributes", "events", "purchases"]
        let value = CollectedValue(request.body)
        let counts = arrays.compactMap { name -> (name: String, count: Int, errors: [String])? in
            guard case .array(let objects)? = value?[name] else { return nil }
            var faults: [Int: String] = [:]
            for message in messages where message.fieldPath.hasPrefix("\(name)[") {
                if let index = message.event, faults[index] == nil { faults[index] = message.description }
            }
            let errors = faults.sorted { $0.key < $1.key }.map { index, text in
                "{\"type\":\"\(text.jsonEscaped)\",\"input_array\":\"\(name)\",\"index\":\(index)}"
            }
            return (name, objects.count - faults.count, errors)
        }
        let errors = counts.flatMap(\.errors)
        let suffix = errors.isEmpty ? "" : ",\"errors\":[\(errors.joined(separator: ","))]"
        guard counts.contains(where: { $0.count > 0 }) else {
            let arrays = "'attributes', 'events', or 'purchases'"
            return .json(400, "{\"message\":\"Valid data must be provided in the \(arrays) fields.\"\(suffix)}")
        }
        let processed = counts.map { entry in
            ",\"\(entry.name == "aliases_to_identify" ? "aliases" : entry.name)_processed\":\(entry.count)"
        }
        return .json(201, "{\"message\":\"success\"\(processed.joined())\(suffix)}")
    }
}

extension FieldChecker {
    /// Checks a request to Braze.
    fileprivate mutating func checkBraze(_ head: CollectedHead, _ body: [UInt8]) {
        checkContentType(head, isOneOf: ["application/json"])
        if head.headers["authorization"]?.wholeMatch(of: /Bearer [!#-&(-~]+/) == nil {
            add(.valueRequired, "", "The key is missing or in quotes.", response: (401, "Invalid API Key"))
        }
        if body.count > BrazeRules.maximumBodyBytes {
            add(.valueOutOfBounds, "", "The body has \(body.count) bytes; the maximum is 4 MB.", response: (413, ""))
        }
        guard case .object(let members)? = CollectedValue(body) else {
            return add(.valueInvalid, "", "The body must be a JSON object.")
        }
        let isIdentifying = head.path.hasSuffix("/users/identify")
        let names = isIdentifying ? ["aliases_to_identify"] : ["attributes", "events", "purchases"]
        for name in members.keys.sorted() where !(names + ["merge_behavior"]).contains(name) {
            add(.nameInvalid, "", "A request has no member \(name).")
        }
        var count = 0
        for name in names {
            guard let value = members[name] else { continue }
            guard case .array(let objects) = value else { return add(.valueInvalid, name, "It must be a list.") }
            count += objects.count
            for (index, object) in objects.enumerated() { checkBrazeObject(object, of: name, at: "\(name)[\(index)]") }
        }
        if count == 0 { add(.valueRequired, "", "There must be at least one object.") }
        let maximum = isIdentifying ? BrazeRules.maximumAliases : BrazeRules.maximumObjects
        if count > maximum {
            let text = "There are \(count) objects; the maximum is \(maximum)."
            add(.exceededMaxEntities, "", text, response: (400, "Max Input Length Exceeded"))
        }
    }

    private mutating func checkBrazeObject(_ object: CollectedValue, of array: String, at path: String) {
        guard case .object(let members) = object else { return add(.valueInvalid, path, "It must be an object.") }
        if array == "aliases_to_identify" {
            for name in members.keys.sorted() where !["external_id", "user_alias"].contains(name) {
                add(.nameInvalid, path, "An object of this list has no member \(name).")
            }
            checkBrazeText(members["external_id"], at: "\(path).external_id")
            return checkBrazeAlias(members["user_alias"], at: "\(path).user_alias")
        }
        checkBrazeIdentity(members, at: path)
        switch array {
        case "attributes": checkBrazeAttributes(members, at: path)
        case "events":
            checkBrazeMembers(members, BrazeRules.eventMembers, at: path)
            checkBrazeName(members["name"], at: "\(path).name")
        default:
            checkBrazeMembers(members, BrazeRules.purchaseMembers, at: path)
            checkBrazeText(members["product_id"], at: "\(path).product_id")
            if members["currency"]?.string?.wholeMatch(of: /[A-Z]{3}/) == nil {
                add(.valueInvalid, "\(path).currency", "It must be an ISO 4217 code.")
            }
            switch members["price"] {
            case .int, .double: break
            default: add(.valueInvalid, "\(path).price", "It must be a number.")
            }
            if let quantity = members["quantity"], !(1...100).contains(quantity.integer ?? 0) {
                add(.valueOutOfBounds, "\(path).quantity", "It must be an integer from 1 to 100.")
            }
        }
    }

    private mutating func checkBrazeIdentity(_ members: [String: CollectedValue], at path: String) {
        let present = BrazeRules.identifiers.filter { members[$0] != nil }
        if present.count != 1 {
            add(.valueRequired, path, "'external_id', 'braze_id', 'user_alias', 'email' or 'phone' is required, once.")
        }
        for name in present where name != "user_alias" { checkBrazeText(members[name], at: "\(path).\(name)") }
        if let id = members["external_id"]?.string, id.utf8.count > BrazeRules.maximumUserIDBytes {
            add(.valueOutOfBounds, "\(path).external_id", "It has \(id.utf8.count) bytes; the maximum is 987.")
        }
        guard let alias = members["user_alias"] else { return }
        checkBrazeAlias(alias, at: "\(path).user_alias")
        if members["_update_existing_only"] != false {
            let place = "\(path)._update_existing_only"
            add(.valueRequired, place, "Without false, Braze ignores an unknown alias without an error.")
        }
    }

    private mutating func checkBrazeAlias(_ alias: CollectedValue?, at path: String) {
        guard case .object(let members)? = alias, members.count == 2 else {
            return add(.valueInvalid, path, "It must have alias_name and alias_label.")
        }
        for name in ["alias_name", "alias_label"] {
            checkBrazeText(members[name], at: "\(path).\(name)")
            if let text = members[name]?.string, text.utf8.count > BrazeRules.maximumAliasBytes {
                add(.valueOutOfBounds, "\(path).\(name)", "It has \(text.utf8.count) bytes; the maximum is 236.")
            }
        }
    }

    /// Checks the members that events and purchases share.
    private mutating func checkBrazeMembers(
        _ members: [String: CollectedValue],
        _ known: Set<String>,
        at path: String
    ) {
        for name in members.keys.sorted() where !known.contains(name) {
            add(.nameInvalid, path, "An object of this list has no member \(name).")
        }
        let isTime = members["time"]?.string.map { $0.wholeMatch(of: isoTime) != nil }
        if isTime != true { add(.valueInvalid, "\(path).time", "It must be an ISO 8601 time.") }
        if let appID = members["app_id"] { checkBrazeText(appID, at: "\(path).app_id") }
        switch members["properties"] {
        case nil: break
        case .object(let properties)?:
            checkBrazeProperties(properties, at: "\(path).properties")
            if let schema = members["name"]?.string.flatMap({ BrazeRules.schemas[$0] }) {
                checkBrazeSchema(properties, schema, at: "\(path).properties")
            }
        default: add(.valueInvalid, "\(path).properties", "It must be an object.")
        }
    }

    private mutating func checkBrazeProperties(_ properties: [String: CollectedValue], at path: String) {
        if properties.count > BrazeRules.maximumProperties {
            add(.exceededMaxEntities, path, "There are \(properties.count) properties; the maximum is 256.")
        }
        for name in properties.keys.sorted() where BrazeRules.reservedProperties.contains(name) {
            add(.nameReserved, path, "The property \(name) is reserved.")
        }
        checkBrazeValues(properties, at: path)
        let size = CollectedValue.object(properties).minimumBytes
        if size > BrazeRules.maximumPropertyBytes {
            add(.valueOutOfBounds, path, "The properties have \(size) bytes; the maximum is 100 KB.")
        }
    }

    /// Checks that a recommended event has the properties of its schema, and no others.
    private mutating func checkBrazeSchema(
        _ properties: [String: CollectedValue],
        _ schema: BrazeRules.Schema,
        at path: String
    ) {
        for name in schema.required.sorted() where properties[name] == nil {
            add(.valueRequired, path, "The property '#/' did not contain a required property of '\(name)'.")
        }
        for name in properties.keys.sorted() where !schema.required.union(schema.optional).contains(name) {
            add(.nameInvalid, path, "The schema has no property \(name).")
        }
        switch properties["metadata"] {
        case .object?, nil: break
        default: add(.valueInvalid, "\(path).metadata", "It must be an object.")
        }
    }

    private mutating func checkBrazeAttributes(_ members: [String: CollectedValue], at path: String) {
        let attributes = members.filter {
            !BrazeRules.identifiers.contains($0.key) && $0.key != "_update_existing_only"
        }
        if attributes.isEmpty { add(.valueRequired, path, "There must be at least one attribute.") }
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            guard case .array(let elements) = value, elements.count > BrazeRules.maximumElements else { continue }
            let text = "The list has \(elements.count) elements; the maximum is 500."
            add(.exceededMaxEntities, "\(path).\(name)", text)
        }
        // A value of `null` removes the attribute.
        checkBrazeValues(attributes.filter { $0.value != .null }, at: path)
        for value in attributes.values { checkBrazeNestedKeys(value, at: path) }
        for name in attributes.keys where attributes[name] == .null { checkBrazeName(.string(name), at: path) }
    }

    /// Checks that no key in a nested attribute has a character that Braze does not support there.
    private mutating func checkBrazeNestedKeys(_ value: CollectedValue, at path: String) {
        guard case .object(let members) = value else {
            if case .array(let elements) = value { for element in elements { checkBrazeNestedKeys(element, at: path) } }
            return
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if name.contains(where: { " .$".contains($0) }) {
                add(.nameInvalid, path, "The nested key \(name) has a space, a period or a dollar sign.")
            }
            checkBrazeNestedKeys(value, at: path)
        }
    }

    private mutating func checkBrazeValues(_ members: [String: CollectedValue], at path: String) {
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            checkBrazeName(.string(name), at: path)
            checkBrazeValue(value, at: "\(path).\(name)")
        }
    }

    private mutating func checkBrazeValue(_ value: CollectedValue, at path: String) {
        switch value {
        case .bool, .int, .double: break
        case .string: checkText(value, at: path, atMost: BrazeRules.maximumTextLength)
        case .null: add(.valueInvalid, path, "Braze documents no null here.")
        case .array(let elements):
            for (index, element) in elements.enumerated() { checkBrazeValue(element, at: "\(path)[\(index)]") }
        case .object(let members): checkBrazeValues(members, at: path)
        }
    }

    private mutating func checkBrazeName(_ name: CollectedValue?, at path: String) {
        guard case .string(let text)? = name, !text.isEmpty else {
            return add(.valueRequired, path, "A name must be text that is not empty.")
        }
        if text.utf8.first == UInt8(ascii: "$") { add(.nameReserved, path, "A name must not start with $.") }
        if text.unicodeScalars.count > BrazeRules.maximumNameLength || text.utf8.count > BrazeRules.maximumNameBytes {
            let size = "\(text.unicodeScalars.count) characters and \(text.utf8.count) bytes"
            add(.nameInvalid, path, "The name has \(size); the maximum is 255 characters and 479 bytes.")
        }
    }

    private mutating func checkBrazeText(_ value: CollectedValue?, at path: String) {
        if value?.string?.isEmpty ?? true { add(.valueRequired, path, "It must be text that is not empty.") }
    }
}

extension CollectedValue {
    /// The number, if this is an integer.
    var integer: Int64? {
        if case .int(let number) = self { number } else { nil }
    }

    /// The number of bytes of the compact JSON, without escapes.
    var minimumBytes: Int {
        switch self {
        case .null, .bool(true): 4
        case .bool(false): 5
        case .int(let number): "\(number)".utf8.count
        case .double(let number): "\(number)".utf8.count
        case .string(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(max(1, elements.count) + 1) { $0 + $1.minimumBytes }
        case .object(let members):
            members.reduce(max(1, members.count) + 1) { $0 + $1.key.utf8.count + 3 + $1.value.minimumBytes }
        }
    }
}
