import LoopbackCollector

/// A violation of a rule, or a change to the event before it was sent.
struct Finding: Sendable, Hashable {
    /// An owner of rules.
    enum Source: Sendable, Hashable {
        /// The published rules of a vendor's receiver, such as `GA4`.
        case vendor(String)
        /// The tracking plan.
        case plan
        /// The sender's rules for the vendor.
        case engine
        /// The format expected by the receiver.
        case receiver

        /// The name on the page.
        var name: String {
            switch self {
            case .vendor(let name): name
            case .plan: "plan"
            case .engine: "engine"
            case .receiver: "receiver"
            }
        }
    }

    /// The extent of the damage to the event.
    enum Severity: String, Sendable {
        /// The event does not reach its service, or lacks a value that consumers rely on.
        case error
        /// The event reaches its service, but differs from the tracked or planned event.
        case warning
    }

    let severity: Severity
    let source: Source
    /// The rule's stable name.
    let code: String
    /// The part of the event that breaks the rule.
    ///
    /// Empty for the whole event.
    let path: String
    /// The description of the fault, in a sentence.
    let text: String
}

extension Finding {
    /// The recommended change, in a sentence.
    var cure: String {
        switch source {
        case .vendor: vendorCure
        case .plan: planCure
        case .engine: engineCure
        case .receiver: "Check the endpoint: the body belongs to another service, or to none."
        }
    }

    /// The last part of the path, which is the key of the rule.
    private var key: String {
        path.split(separator: ".").last.map { "“\($0)”" } ?? "it"
    }

    private var vendorCure: String {
        switch code {
        case "VALUE_REQUIRED": "Set \(key) in the event's part for this service."
        case "VALUE_INVALID": "Send \(key) in the form that this message names."
        case "NAME_INVALID": "Rename it as this message describes."
        case "NAME_RESERVED": "Rename it: the service reserves this name, or its prefix."
        case "VALUE_OUT_OF_BOUNDS": "Bring \(key) into the range that this message names."
        case "EXCEEDED_MAX_ENTITIES": "Send fewer of them."
        default: "Change the event as this message describes."
        }
    }

    private var planCure: String {
        switch code {
        case "missing": "Set \(key) in the event. If it is optional, add an example without it to the event's plan."
        case "type": "Send \(key) with the planned type. If the new type is intended, write the plan again."
        case "value":
            "Send \(key) with a value that the plan allows. If the new value is intended, write the plan again."
        case "personal_key":
            "Track it as a sensitive value with a policy, or leave it out. If it is harmless, rename it."
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
            ("_nested", "Send the members as separate keys: the service accepts no nested values here."),
            ("_too_large", "Send fewer or shorter parameters."),
            ("_clamped", "Deliver the event sooner: the service accepts only events of the last 72 hours."),
            ("_in_future", "Correct the device's clock."),
            ("_missing", "Set it before the first event, in the configuration or with user.identify(_:)."),
            ("_empty", "Give it a value, or leave the key out."),
            ("_not_finite", "Send a finite number, or leave the key out."),
        ]
        if let cure = parts.first(where: { code.hasSuffix($0.suffix) })?.cure { return cure }
        if code.hasPrefix("too_many") { return "Send fewer of them: the plan's rules name the maximum." }
        return "Change the event as the service's rules in the plan require."
    }
}

/// The findings of the receiver's published rules in a request, grouped by event.
enum ReceiverFindings {
    /// Returns the findings of each event in a request.
    ///
    /// Findings about the request itself apply to all of its events.
    static func findings(
        on head: CollectedHead,
        body: [UInt8],
        at time: Int64?,
        of service: CollectorService,
        events: Int
    ) -> [[Finding]] {
        var findings = Array(repeating: [Finding](), count: events)
        guard let rules = service.rules else { return findings }
        for message in rules.messages(on: head, body: body, at: time) {
            let (event, path) = place(of: message.fieldPath)
            let finding = Finding(
                severity: .error,
                source: .vendor(rules.name),
                code: message.code.rawValue,
                path: path,
                text: message.description
            )
            for index in findings.indices where event == nil || event == index { findings[index].append(finding) }
        }
        return findings
    }

    /// Splits `events[3].params.value` into the event's index and the path in the event.
    private static func place(of path: String) -> (event: Int?, path: String) {
        guard path.hasPrefix("events["), let end = path.firstIndex(of: "]"),
            let index = Int(path[path.index(path.startIndex, offsetBy: 7)..<end])
        else { return (nil, path) }
        return (index, String(path[path.index(after: end)...].drop { $0 == "." }))
    }
}
