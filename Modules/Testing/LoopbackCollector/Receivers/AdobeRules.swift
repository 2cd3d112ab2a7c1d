#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules of Adobe's Edge Network for `collect`.
///
/// Sources:
/// - https://developer.adobe.com/data-collection-apis/docs/endpoints/collect/
/// - https://developer.adobe.com/data-collection-apis/docs/getting-started/troubleshooting/ (the codes), of 2026-06-24
/// - https://developer.adobe.com/data-collection-apis/docs/getting-started/guardrails/ (64 KB; 64,000 bytes are the
///   stricter reading)
/// - https://experienceleague.adobe.com/en/docs/experience-platform/web-sdk/identity/first-party-device-ids (an FPID
///   must be a UUID of version 4; an older example of the server API shows 38 digits)
/// - https://experienceleague.adobe.com/en/docs/experience-platform/identity/guardrails (ids of at most 1,024
///   characters, and blocked ids)
/// - https://experienceleague.adobe.com/en/docs/experience-platform/xdm/classes/experienceevent
/// - https://experienceleague.adobe.com/en/docs/experience-platform/xdm/field-groups/profile/identitymap
private enum AdobeRules {
    static let maximumBodyBytes = 64_000
    static let contentTypes = [
        "application/json", "application/x-jackson-smile", "text/plain", "text/javascript",
    ]
    /// The namespaces that every organization has.
    static let standardNamespaces: Set<String> = [
        "AVID", "ECID", "Email", "Email_LC_SHA256", "FPID", "GAID", "IDFA", "Phone", "Phone_E.164",
        "Phone_SHA256", "Phone_SHA256_E.164",
    ]
    static let eventMembers: Set<String> = ["data", "meta", "query", "xdm"]
    static let identityMembers: Set<String> = ["authenticatedState", "id", "primary"]
    static let maximumIDLength = 1_024
    static let blockedIDs: Set<String> = ["anonymous", "invalid", "null"]
    static let states: Set<String> = ["ambiguous", "authenticated", "loggedOut"]
}

extension ReceiverRules {
    /// The rules of Adobe's Edge Network in a sandbox with the namespace `CRMID`.
    public static let adobe = adobe(namespaces: ["CRMID"])

    /// Returns the rules of Adobe's Edge Network, with its problem object for each kind of fault.
    ///
    /// A fault in one event rejects the whole request. The detail names the event as `#index`, as Adobe's table does.
    ///
    /// - Parameter namespaces: The identity namespaces of the sandbox, besides the standard ones.
    /// - Returns: The rules.
    public static func adobe(namespaces: Set<String>) -> ReceiverRules {
        let known = AdobeRules.standardNamespaces.union(namespaces)
        return ReceiverRules(name: "Adobe") { head, body, time in
            var checker = FieldChecker(time: time)
            checker.checkAdobe(head, body, namespaces: known)
            return checker.messages
        } response: { _, messages in
            guard let fault = messages.first else { return .json(202, #"{"requestId":"stand-in"}"#) }
            let (status, code) = fault.response ?? (400, "EXEG-0102-400")
            let place = fault.event.map { "event `#\($0)`, " } ?? ""
            let detail = "\(place)\(fault.fieldPath): \(fault.description)".jsonEscaped
            let members = #""status":\#(status),"title":"Invalid request","detail":"\#(detail)""#
            return CollectorResponse(
                status,
                headers: [CollectorResponse.Header("Content-Type", "application/problem+json")],
                text: #"{"type":"https://ns.adobe.com/aep/errors/\#(code)",\#(members)}"#
            )
        }
    }
}

extension FieldChecker {
    /// Checks a request to the Edge Network.
    fileprivate mutating func checkAdobe(_ head: CollectedHead, _ body: [UInt8], namespaces: Set<String>) {
        if head.query["datastreamId"]?.isEmpty ?? true {
            add(.valueRequired, "", "The address needs a datastreamId.", response: (400, "EXEG-0002-400"))
        }
        checkContentType(head, isOneOf: AdobeRules.contentTypes, code: "EXEG-0111-415")
        if body.count > AdobeRules.maximumBodyBytes {
            let text = "The body has \(body.count) bytes; the maximum is 64 KB."
            add(.valueOutOfBounds, "", text, response: (413, "EXEG-0112-413"))
        }
        guard case .object(let members)? = CollectedValue(body) else {
            return add(.valueInvalid, "", "The body must be a JSON object.", response: (400, "EXEG-0101-400"))
        }
        for name in members.keys.sorted() where !["events", "meta"].contains(name) {
            add(.nameInvalid, name, "A request has no member \(name).")
        }
        guard case .array(let events)? = members["events"], !events.isEmpty else {
            let text = "There must be at least one event."
            return add(.valueRequired, "events", text, response: (400, "EXEG-0103-400"))
        }
        for (index, event) in events.enumerated() {
            checkAdobeEvent(event, at: "events[\(index)]", namespaces: namespaces)
        }
    }

    private mutating func checkAdobeEvent(_ event: CollectedValue, at path: String, namespaces: Set<String>) {
        guard case .object(let members) = event else { return add(.valueInvalid, path, "It must be an object.") }
        for name in members.keys.sorted() where !AdobeRules.eventMembers.contains(name) {
            add(.nameInvalid, path, "An event has no member \(name).")
        }
        switch members["data"] {
        case nil, .object?: break
        default: add(.valueInvalid, "\(path).data", "It must be an object.")
        }
        guard case .object(let xdm)? = members["xdm"] else {
            let text = "An event needs an object xdm."
            return add(.valueRequired, "\(path).xdm", text, response: (400, "EXEG-0103-400"))
        }
        for name in ["_id", "eventType"] where xdm[name]?.string?.isEmpty ?? true {
            add(
                .valueRequired,
                "\(path).xdm.\(name)",
                "It must be text that is not empty.",
                response: (400, "EXEG-0103-400")
            )
        }
        checkTimestamp(xdm["timestamp"]?.string ?? "", at: "\(path).xdm.timestamp")
        checkIdentityMap(xdm["identityMap"], at: "\(path).xdm.identityMap", namespaces: namespaces)
    }

    private mutating func checkTimestamp(_ text: String, at path: String) {
        guard text.wholeMatch(of: isoTime) != nil else {
            return add(.valueInvalid, path, "It must be an RFC 3339 time with an offset.")
        }
        let styles = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
        guard let arrival = time, let time = styles.lazy.compactMap({ try? $0.parse(text) }).first else { return }
        if Int64((time.timeIntervalSince1970 * 1_000_000).rounded()) > arrival {
            add(.valueOutOfBounds, path, "It must be in the past.")
        }
    }

    private mutating func checkIdentityMap(_ map: CollectedValue?, at path: String, namespaces: Set<String>) {
        var primary = 0
        if case .object(let spaces)? = map {
            for (space, list) in spaces.sorted(by: { $0.key < $1.key }) {
                if !namespaces.contains(space) {
                    let text = "The identity namespace \(space) does not exist."
                    add(.nameInvalid, path, text, response: (422, "EXEG-0013-422"))
                }
                guard case .array(let identities) = list, !identities.isEmpty else {
                    add(.valueInvalid, "\(path).\(space)", "It must be a list that is not empty.")
                    continue
                }
                for (index, identity) in identities.enumerated() {
                    checkIdentity(identity, in: space, at: "\(path).\(space)[\(index)]")
                    // Adobe's examples write both forms.
                    if identity["primary"] == true || identity["primary"] == "true" { primary += 1 }
                }
            }
        }
        if primary == 0 {
            add(.valueRequired, path, "The event has no primary identity.", response: (400, "EXEG-0306-400"))
        } else if primary > 1 {
            add(.exceededMaxEntities, path, "An event has one primary identity.", response: (400, "EXEG-0304-400"))
        }
    }

    private mutating func checkIdentity(_ identity: CollectedValue, in space: String, at path: String) {
        guard case .object(let members) = identity else { return add(.valueInvalid, path, "It must be an object.") }
        for name in members.keys.sorted() where !AdobeRules.identityMembers.contains(name) {
            add(.nameInvalid, path, "An identity has no member \(name).")
        }
        if let state = members["authenticatedState"], !AdobeRules.states.contains(state.string ?? "") {
            add(.valueInvalid, "\(path).authenticatedState", "It must be ambiguous, authenticated or loggedOut.")
        }
        if let primary = members["primary"], ![true, false, "true", "false"].contains(primary) {
            add(.valueInvalid, "\(path).primary", "It must be true or false.")
        }
        guard let id = members["id"]?.string, !id.allSatisfy(\.isWhitespace), !AdobeRules.blockedIDs.contains(id),
            id.utf16.count <= AdobeRules.maximumIDLength
        else {
            let text = "It must be text of 1 to 1,024 characters with a meaning."
            return add(.valueRequired, "\(path).id", text, response: (400, "EXEG-0305-400"))
        }
        let hasForm =
            switch space {
            case "FPID": FieldChecker.isRandomUUID(id)
            case "ECID": id.utf8.count == 38 && id.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
            default: true
            }
        if !hasForm {
            let form = space == "FPID" ? "a UUID of version 4" : "38 digits"
            add(.valueInvalid, "\(path).id", "It must be \(form).", response: (400, "EXEG-0308-400"))
        }
    }

    /// Whether a text is a UUID of version 4 with the variant of RFC 9562.
    private static func isRandomUUID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return UUID(uuidString: text) != nil && bytes[14] == UInt8(ascii: "4") && "89ABab".utf8.contains(bytes[19])
    }
}
