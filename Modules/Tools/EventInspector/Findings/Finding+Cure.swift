extension Finding {
    /// The recommended change, in a sentence.
    var cure: String {
        switch source {
        case .ga4: ga4Cure
        case .plan: planCure
        case .engine: engineCure
        case .receiver: "Check the endpoint: the body belongs to another service, or to none."
        }
    }

    /// The last part of the path, which is the key of the rule.
    private var key: String {
        path.split(separator: ".").last.map { "“\($0)”" } ?? "it"
    }

    private var ga4Cure: String {
        switch code {
        case "VALUE_REQUIRED": "Set \(key) in the event's Firebase part."
        case "VALUE_INVALID": "Send \(key) in the form that this message names."
        case "NAME_INVALID": "Rename it: a letter, then letters, digits and underscores, 40 characters at most."
        case "NAME_RESERVED": "Rename it: Google reserves this name, or its prefix."
        case "VALUE_OUT_OF_BOUNDS": "Bring \(key) into the range that this message names."
        case "EXCEEDED_MAX_ENTITIES": "Send fewer of them in one event."
        default: "Change the event as this message describes."
        }
    }

    private var planCure: String {
        switch code {
        case "missing": "Set \(key) in the event. If it is optional, add an example without it to the event's plan."
        case "type": "Send \(key) with the planned type. If the new type is intended, write the plan again."
        case "unplanned_key": "Add an example with \(key) to the event's plan, or remove it from the event."
        default: "Add the event to its module's EventCatalog and write the plan again, or correct its name."
        }
    }

    private var engineCure: String {
        let parts: [(suffix: String, cure: String)] = [
            ("_reserved", "Rename it: the service reserves this name, or its prefix."),
            ("name_too_long", "Shorten the event's name to the length in the plan's rules."),
            ("_too_long", "Shorten it to the length in the plan's rules."),
            ("_too_deep", "Nest the value less deeply."),
            ("_nested", "Send the members as keys of their own: the service takes no nested values here."),
            ("_too_large", "Send fewer or shorter parameters."),
            ("_clamped", "Deliver the event sooner: the service takes events of the last 72 hours only."),
            ("_in_future", "Correct the device's clock."),
            ("_missing", "Set it before the first event, in the configuration or with identify(user:)."),
            ("_empty", "Give it a value, or leave the key out."),
            ("_not_finite", "Send a finite number, or leave the key out."),
        ]
        if let cure = parts.first(where: { code.hasSuffix($0.suffix) })?.cure { return cure }
        if code.hasPrefix("too_many") { return "Send fewer of them: the plan's rules name the maximum." }
        return "Change the event as the service's rules in the plan require."
    }
}
