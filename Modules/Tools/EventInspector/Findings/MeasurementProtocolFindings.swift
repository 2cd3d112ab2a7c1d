import LoopbackCollector

/// The findings of the GA4 validation rules in a body, grouped by event.
enum MeasurementProtocolFindings {
    /// Returns the findings of each event in a body.
    ///
    /// Findings about the body itself apply to all of its events.
    static func findings(in body: [UInt8], events: Int) -> [[Finding]] {
        var findings = Array(repeating: [Finding](), count: events)
        for message in MeasurementProtocolValidation.messages(on: body) {
            let (event, path) = place(of: message.fieldPath)
            let finding = Finding(
                severity: .error,
                source: .ga4,
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
