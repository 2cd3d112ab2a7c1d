/// The rules of an HTTP source of Sumo Logic.
///
/// Sources:
/// - https://www.sumologic.com/help/docs/send-data/hosted-collectors/http-source/logs-metrics/upload-logs/ (address,
///   headers, encodings)
/// - https://www.sumologic.com/help/docs/send-data/hosted-collectors/http-source/logs-metrics/ (at most 1 MB before
///   compression)
/// - https://www.sumologic.com/help/docs/send-data/hosted-collectors/http-source/troubleshooting/ (statuses)
/// - https://www.sumologic.com/help/docs/manage/fields/ (30 fields; keys of 255 and values of 200 characters)
/// - https://www.sumologic.com/help/docs/search/get-started-with-search/search-basics/search-large-messages/ and
///   https://github.com/SumoLogic/sumologic-documentation/pull/6881 of 2026-07-09 (64 KB, and 256 KB since then; 64 KB
///   is the stricter value)
///
/// Sumo Logic splits a long line into parts and drops an unknown field, both with status 200. These rules report the
/// first as a fault. They cannot know the fields of an account.
private enum SumoRules {
    static let maximumBodyBytes = 1_000_000
    static let maximumFields = 30
    static let maximumKeyLength = 255
    static let maximumValueLength = 200
    static let metricTypes = [
        "application/vnd.sumologic.carbon2", "application/vnd.sumologic.graphite",
        "application/vnd.sumologic.prometheus",
    ]
    static let encodings = ["gzip", "deflate", "zstd"]
}

extension ReceiverRules {
    /// The rules of Sumo Logic with lines of less than 64 KB.
    public static let sumo = sumo(lineBytes: 65_536)

    /// Returns the rules of Sumo Logic.
    ///
    /// The response to an address without a token is 401. To any other fault, it is 400, which Sumo Logic does not
    /// document. A fault is therefore visible in the sender's ledger.
    ///
    /// - Parameter lineBytes: The size at which a line is split, 65,536 or 262,144.
    /// - Returns: The rules.
    public static func sumo(lineBytes: Int) -> ReceiverRules {
        ReceiverRules(name: "Sumo Logic") { head, body, _ in
            var checker = FieldChecker()
            checker.checkSumo(head, body, lineBytes: lineBytes)
            return checker.messages
        } response: { _, messages in
            guard let fault = messages.first else { return CollectorResponse(200) }
            return CollectorResponse(fault.response?.status ?? 400, text: fault.description)
        }
    }
}

extension FieldChecker {
    /// Checks a request to an HTTP source.
    fileprivate mutating func checkSumo(_ head: CollectedHead, _ body: [UInt8], lineBytes: Int) {
        let token = head.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        if token.isEmpty || token == "http", head.headers["x-sumo-token"] == nil {
            add(.valueRequired, "", "The address has no token.", response: (401, ""))
        }
        let type = head.headers["content-type"]?.split(separator: ";").first.map(String.init) ?? ""
        if SumoRules.metricTypes.contains(type) { add(.valueInvalid, "", "The type \(type) uploads metrics.") }
        if let encoding = head.headers["content-encoding"], !SumoRules.encodings.contains(encoding) {
            add(.valueInvalid, "", "The encoding \(encoding) is not documented.")
        }
        if let fields = head.headers["x-sumo-fields"] { checkSumoFields(fields) }
        if body.count > SumoRules.maximumBodyBytes {
            add(.valueOutOfBounds, "", "The body has \(body.count) bytes; the maximum is 1 MB.")
        }
        let lines = EventReader.lines(of: body)
        if lines.isEmpty { add(.valueRequired, "", "There must be at least one line.") }
        for (index, line) in lines.enumerated() { checkSumoLine(body[line], at: "events[\(index)]", lineBytes) }
    }

    private mutating func checkSumoFields(_ text: String) {
        let fields = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        if fields.count > SumoRules.maximumFields {
            add(.exceededMaxEntities, "X-Sumo-Fields", "There are \(fields.count) fields; the maximum is 30.")
        }
        for field in fields {
            let parts = field.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
            let texts = parts.map { String(decoding: $0, as: UTF8.self).trimmingBlanks }
            guard texts.count == 2, texts.allSatisfy({ !$0.isEmpty }) else {
                add(.valueInvalid, "X-Sumo-Fields", "A field must be a key and a value without separators.")
                continue
            }
            if texts[0].utf16.count > SumoRules.maximumKeyLength || texts[1].utf16.count > SumoRules.maximumValueLength
            {
                add(.valueOutOfBounds, "X-Sumo-Fields", "A key has at most 255 characters, and a value 200.")
            }
        }
    }

    private mutating func checkSumoLine(_ line: ArraySlice<UInt8>, at path: String, _ lineBytes: Int) {
        if line.count >= lineBytes {
            add(.valueOutOfBounds, path, "The line has \(line.count) bytes; Sumo Logic splits it at \(lineBytes).")
        }
        guard String(decoding: line, as: UTF8.self).utf8.elementsEqual(line) else {
            return add(.valueInvalid, path, "It must be UTF-8.")
        }
        guard let value = CollectedValue(Array(line)), case .object = value else {
            return add(.valueInvalid, path, "The line must be one JSON object.")
        }
    }
}

extension String {
    fileprivate var trimmingBlanks: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
