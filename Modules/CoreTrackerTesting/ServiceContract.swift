import CoreTracker

/// What every service must keep that takes events by a name and parameters.
///
/// ``FirebaseServiceContract``, ``AwesomeTrackingServiceContract`` and ``VendorServiceContract`` apply it to theirs.
public struct ServiceContract: Sendable, CustomStringConvertible {
    /// A service, and what has come through it so far.
    struct Subject: Sendable {
        /// Hands the service an event.
        let track: @Sendable (_ name: String, _ parameters: EventParameters) -> Void
        /// What has come through the service so far, in order; may wait until it has.
        let arrived: @Sendable () async throws -> [(name: String, parameters: EventParameters)]
    }

    /// The promise as a sentence.
    public let description: String
    /// Holds a new service to the promise.
    let body: @Sendable (Subject) async throws -> Void

    private init(_ description: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// All promises.
    static let checks = [
        ServiceContract("events of one thread come through in their order, with their own parameters") { subject in
            for number in 1...200 { subject.track("contract", ["number": .int(number), "currency": "XTS"]) }

            let arrived = try await subject.arrived()
            try expect(numbers(arrived) == Array(1...200), "\(numbers(arrived)) came through instead of 1…200")
            let currencies = Set(arrived.map { $0.parameters["currency"] })
            try expect(currencies == ["XTS"], "an own parameter gave way to another one: \(currencies)")
        },
        ServiceContract("events of many threads each come through once, those of a thread in their order") { subject in
            await withTaskGroup { group in
                for thread in 0..<8 {
                    group.addTask {
                        for number in 0..<100 { subject.track("contract", ["number": .int(thread * 100 + number)]) }
                    }
                }
            }

            let numbers = numbers(try await subject.arrived())
            try expect(numbers.sorted() == Array(0..<800), "\(numbers.count) of 800 came through")
            for thread in 0..<8 {
                let own = numbers.filter { $0 / 100 == thread }
                try expect(own == own.sorted(), "a thread's events changed places: \(own)")
            }
        },
        ServiceContract("an event that no receiver would take harms neither the app nor the next event") { subject in
            let long = String(repeating: "é", count: 10_000)
            for text in ["", " ", "\0", "\u{202E}", "👩‍👩‍👧‍👦", "\"\n", long] {
                subject.track(text, [ParameterKey(text): .string(text)])
            }
            subject.track("contract", ["price": .double(.nan), "list": deepList, "count": .int(.min)])
            subject.track("contract", ["number": 1])

            let numbers = numbers(try await subject.arrived())
            try expect(numbers.last == 1, "the event after the bad ones did not come through: \(numbers)")
        },
    ]

    private static let deepList = (0..<100).reduce(ParameterValue.int(0)) { inner, _ in .array([inner]) }

    private static func numbers(_ events: [(name: String, parameters: EventParameters)]) -> [Int] {
        events.compactMap { if case .int(let number) = $0.parameters["number"] { number } else { nil } }
    }

    private static func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
        try ContractViolation.expect(holds, otherwise())
    }
}
