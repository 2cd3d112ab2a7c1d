import CoreTracker

/// A printer of contracts as Kotlin 1.3, which newer releases also compile.
enum KotlinPrinter {
    /// Returns the source file of a contract.
    static func source(of contract: Contract) -> String {
        let classes = contract.events.map { event in
            let call = (contract.product, contract.service, event.entry.name)
            return lines(of: event.structure, sent: call).map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
        }
        return """
            \(ContractFiles.header)
            package trackingplan

            /** The events of \(contract.product) at \(contract.service). */
            object \(contract.name) {
            \(classes.joined(separator: "\n\n"))
            }

            """
    }

    /// Returns the source file of examples, each in a function of its own because of the size that one may have.
    static func source(of examples: [ContractExample]) -> String {
        let events = examples.map { example in
            let name = "\(example.contract.name).\(example.event.structure.name)"
            return "    { \(construction(name, example.event.structure, example.parameters)) }"
        }
        return """
            \(ContractFiles.header)
            package trackingplan

            /** The examples of the plan, in the order of `vectors.json`. */
            val examples = listOf<() -> PlannedEvent>(
            \(events.joined(separator: ",\n"))
            )

            """
    }

    private static func lines(
        of type: Contract.Structure,
        sent call: (product: String, service: String, name: String)?
    ) -> [String] {
        let comment = ContractFiles.comment(type.comment)
        let parameters = type.fields.enumerated().flatMap { index, field in
            ContractFiles.comment(field.comment)
                + ["val \(field.name): \(signature(field))" + (index < type.fields.count - 1 ? "," : "")]
        }
        let head = type.fields.isEmpty ? "class \(type.name)" : "data class \(type.name)("
        let tail = (type.fields.isEmpty ? head : ")") + (call == nil ? " {" : " : PlannedEvent {")
        let members = type.fields.map {
            "\(literal($0.key)) to \($0.name)\(!$0.isRequired ? "?" : "").\(toJson($0.value))"
        }
        var body: [String]
        if let call {
            let event = "WireEvent(\(literal(call.product)), \(literal(call.service)), \(literal(call.name)),"
            body = ["override fun wire() = \(event) Json.of("]
        } else {
            body = ["internal fun toJson() = Json.of("]
        }
        body += separated(members)
        body.append(call == nil ? ")" : "))")
        for choice in type.choices {
            body += ["", "enum class \(choice.name)(private val text: String) {"]
            body += separated(choice.choices.map { "\($0.name)(\(literal($0.text)))" }, end: ";")
            body += ["", "    internal fun toJson() = text.toJson()", "}"]
        }
        for structure in type.structures { body += [""] + lines(of: structure, sent: nil) }
        let indented = body.map { $0.isEmpty ? "" : "    " + $0 }
        guard !type.fields.isEmpty else { return comment + [tail] + indented + ["}"] }
        return comment + [head] + parameters.map { "    " + $0 } + [tail] + indented + ["}"]
    }

    /// Returns lines that end with commas.
    ///
    /// The last one ends differently, because Kotlin 1.3 refuses a comma there.
    private static func separated(_ lines: [String], end: String = "") -> [String] {
        lines.enumerated().map { "    \($1)" + ($0 < lines.count - 1 ? "," : end) }
    }

    private static func signature(_ field: Contract.Field) -> String {
        let fallback = field.fallback.map { " = \(text($0, field.value))" }
        return type(field.value) + (fallback ?? (field.isRequired ? "" : "? = null"))
    }

    /// Returns the type of a value, as a change of the plan compares it.
    static func type(_ value: Contract.Value) -> String {
        switch value {
        case .text: "String"
        case .integer: "Long"
        case .number: "Double"
        case .flag: "Boolean"
        case .choice(let name, _): name
        case .list(let element): "List<\(type(element))>"
        case .structure(let structure): structure.name
        }
    }

    private static func toJson(_ value: Contract.Value) -> String {
        guard case .list(let element) = value else { return "toJson()" }
        return "toJson { it.\(toJson(element)) }"
    }

    private static func construction(
        _ name: String,
        _ type: Contract.Structure,
        _ members: EventParameters
    ) -> String {
        let arguments = type.fields.compactMap { field in
            field.stated(in: members).map { "\(field.name) = \(expression($0, field.value, in: name))" }
        }
        return "\(name)(\(arguments.joined(separator: ", ")))"
    }

    private static func expression(_ value: ParameterValue, _ type: Contract.Value, in scope: String) -> String {
        switch (value, type) {
        case (.string(let string), .choice): "\(scope).\(text(string, type))"
        case (.string(let string), _): text(string, type)
        case (.int(.min), .integer): "Long.MIN_VALUE"
        case (.int(let number), .number): "\(Double(number))"
        case (.int(let number), _): "\(number)L"
        case (.double(let number), _): "\(number)"
        case (.bool(let flag), _): "\(flag)"
        case (.array(let elements), .list(let element)):
            "listOf(\(elements.map { expression($0, element, in: scope) }.joined(separator: ", ")))"
        case (.object(let members), .structure(let structure)):
            construction("\(scope).\(structure.name)", structure, members)
        case (.array, _), (.object, _): "null"
        }
    }

    /// Returns a text, or its name among the fixed values of its type.
    private static func text(_ text: String, _ type: Contract.Value) -> String {
        guard case .choice(let name, let choices) = type, let choice = choices.first(where: { $0.text == text }) else {
            return literal(text)
        }
        return "\(name).\(choice.name)"
    }

    private static func literal(_ text: String) -> String {
        ContractFiles.literal(text, quote: "\"").replacing("$", with: "\\$")
    }
}
