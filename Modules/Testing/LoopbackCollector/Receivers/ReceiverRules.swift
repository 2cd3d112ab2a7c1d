public import HTTPTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The published rules of a receiver: a checker of requests, and the response to a violation.
///
/// It is the only place for these rules. The collector's stand-ins, the tests of destinations and the inspector call
/// it, so a finding is the same in all three. It is independent of the sending code. If two documents of a vendor
/// contradict each other, the stricter value is used.
///
/// ```swift
/// let messages = ReceiverRules.braze.messages(on: request, at: now)
/// ```
public struct ReceiverRules: Sendable {
    /// The receiver's name, such as `Braze`.
    public let name: String
    /// Checks a request, with the time of arrival in microseconds since 1970, or without a time.
    let check: @Sendable (_ head: CollectedHead, _ body: [UInt8], _ time: Int64?) -> [ValidationMessage]
    /// Returns the receiver's response to a request with the given messages.
    let response: @Sendable (_ request: CollectedRequest, _ messages: [ValidationMessage]) -> CollectorResponse

    /// Returns the violations in a received request.
    ///
    /// - Parameters:
    ///   - head: The request line and the header fields.
    ///   - body: The body, without its gzip encoding.
    ///   - time: The time of arrival, in microseconds since 1970. If it is `nil`, rules about time are not checked.
    /// - Returns: The messages, which are empty if the request is valid.
    public func messages(on head: CollectedHead, body: [UInt8], at time: Int64?) -> [ValidationMessage] {
        check(head, body, time)
    }

    /// Returns the violations in an unsent request.
    ///
    /// - Parameters:
    ///   - request: The request of a destination.
    ///   - time: The time of arrival, in microseconds since 1970. If it is `nil`, rules about time are not checked.
    /// - Returns: The messages, which are empty if the request is valid.
    public func messages(on request: HTTPRequest, at time: Int64?) -> [ValidationMessage] {
        guard let head = CollectedHead(request) else {
            return [ValidationMessage(.valueInvalid, "", "The address or a header is not valid.")]
        }
        return check(head, request.body, time)
    }
}

extension CollectedHead {
    /// Creates the head of an unsent request.
    ///
    /// Returns `nil` if its address or a header cannot be sent.
    ///
    /// - Parameter request: The request of a destination.
    public init?(_ request: HTTPRequest) {
        let path = request.url.path(percentEncoded: true)
        let target = (path.isEmpty ? "/" : path) + (request.url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        let lines = ["\(request.method) \(target) HTTP/1.1"] + request.headers.map { "\($0.name): \($0.value)" }
        self.init(Array(lines.joined(separator: "\r\n").utf8), connection: 0, ordinal: 0)
    }
}

extension CollectorService {
    /// The published rules of the service's receiver, or `nil` if it has none.
    public var rules: ReceiverRules? {
        switch name {
        case CollectorService.firebase.name: .appStream
        case CollectorService.googleAnalytics.name: .webStream
        case CollectorService.braze.name: .braze
        case CollectorService.adobe.name: .adobe
        case CollectorService.sumo.name: .sumo
        default: nil
        }
    }
}

extension CollectorScript {
    /// Returns a script in which each service rejects the requests that its vendor's documentation says it rejects.
    ///
    /// Valid requests get the vendor's acknowledgement. Requests of services without ``CollectorService/rules`` are
    /// accepted.
    ///
    /// - Parameters:
    ///   - services: The services.
    ///   - now: Returns the time in microseconds since 1970; by default, the system's time.
    /// - Returns: The script.
    public static func strict(
        _ services: [CollectorService],
        now: @escaping @Sendable () -> Int64 = CollectorScript.systemTime
    ) -> CollectorScript {
        CollectorScript { request in
            guard let rules = services.service(for: request.head)?.rules else { return .accept }
            let messages = rules.messages(on: request.head, body: request.body, at: now())
            return .respond(rules.response(request, messages))
        }
    }

    /// Returns the system's time in microseconds since 1970.
    @Sendable public static func systemTime() -> Int64 {
        Int64(Date.now.timeIntervalSince1970 * 1_000_000)
    }
}

/// A violation of a receiver's rule in one part of a request.
public struct ValidationMessage: Sendable, Hashable {
    /// A category of faults, with the name that GA4's validation server uses.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case valueInvalid = "VALUE_INVALID"
        case valueRequired = "VALUE_REQUIRED"
        case nameInvalid = "NAME_INVALID"
        case nameReserved = "NAME_RESERVED"
        case valueOutOfBounds = "VALUE_OUT_OF_BOUNDS"
        case exceededMaxEntities = "EXCEEDED_MAX_ENTITIES"
    }

    /// The location of the fault, such as `events[0].params`.
    ///
    /// Empty for the request itself.
    public let fieldPath: String
    /// The description of the fault, for people.
    public let description: String
    /// The category of the fault.
    public let code: Code
    /// The receiver's status and its own code, such as 400 and `EXEG-0308-400`, if it documents them.
    let response: (status: Int, code: String)?

    /// Creates a message.
    init(_ code: Code, _ fieldPath: String, _ description: String, response: (status: Int, code: String)? = nil) {
        self.code = code
        self.fieldPath = fieldPath
        self.description = description
        self.response = response
    }

    /// The index of the event, or `nil` if the fault is not in an event.
    var event: Int? {
        guard let start = fieldPath.firstIndex(of: "["), let end = fieldPath.firstIndex(of: "]") else { return nil }
        return start < end ? Int(fieldPath[fieldPath.index(after: start)..<end]) : nil
    }

    /// The message as an element of the response of GA4's validation server.
    var json: String {
        let members = [("fieldPath", fieldPath), ("description", description), ("validationCode", code.rawValue)]
        return "{" + members.map { "\"\($0.0)\":\"\($0.1.jsonEscaped)\"" }.joined(separator: ",") + "}"
    }

    public static func == (left: ValidationMessage, right: ValidationMessage) -> Bool {
        left.fieldPath == right.fieldPath && left.description == right.description && left.code == right.code
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(fieldPath)
        hasher.combine(description)
        hasher.combine(code)
    }
}

extension CollectorResponse {
    /// Returns a response with JSON as its body.
    static func json(_ status: Int, _ text: String) -> CollectorResponse {
        CollectorResponse(status, headers: [Header("Content-Type", "application/json")], text: text)
    }
}

extension String {
    /// The text with the escapes of a JSON string.
    var jsonEscaped: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
