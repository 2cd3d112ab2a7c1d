public import CoreTracker

/// The contract of `FirebaseService`, `AwesomeTrackingService` and `VendorService`.
///
/// ```swift
/// @Test(arguments: ServiceContract.checks)
/// func `keeps the contract of a Firebase service`(check: ServiceContract.Check) async throws {
///     try await check.run(.firebase(service) { [service] in service.events })
/// }
/// ```
public enum ServiceContract {
    /// A check of one rule of the contract.
    public typealias Check = ContractCheck<Subject>

    /// A service under test, with access to its forwarded events.
    ///
    /// The service is one to which nothing has been tracked yet. The closure `received` returns the events that it has
    /// forwarded so far, in order, with or without default parameters. The closure may wait for them.
    public struct Subject: Sendable {
        /// Tracks an event with the service.
        let track: @Sendable (_ name: String, _ parameters: EventParameters) -> Void
        /// Returns the events forwarded by the service so far, in order.
        let received: @Sendable () async throws -> [(name: String, parameters: EventParameters)]

        /// Creates a subject from a service for Firebase.
        ///
        /// - Parameters:
        ///   - service: The service.
        ///   - received: Returns the events forwarded by the service so far.
        /// - Returns: The subject.
        public static func firebase(
            _ service: any FirebaseService,
            received: @escaping @Sendable () async throws -> [FirebaseEvent]
        ) -> Subject {
            Subject {
                service.track(FirebaseEvent(name: $0, parameters: $1))
            } received: {
                try await received().map { ($0.name, $0.parameters) }
            }
        }

        /// Creates a subject from a service for AwesomeTracking.
        ///
        /// - Parameters:
        ///   - service: The service.
        ///   - received: Returns the events forwarded by the service so far.
        /// - Returns: The subject.
        public static func awesomeTracking(
            _ service: any AwesomeTrackingService,
            received: @escaping @Sendable () async throws -> [AwesomeTrackingEvent]
        ) -> Subject {
            Subject {
                service.track(AwesomeTrackingEvent(name: $0, parameters: $1))
            } received: {
                try await received().map { ($0.name, $0.parameters) }
            }
        }

        /// Creates a subject from a service for vendors, of which one gets the events.
        ///
        /// - Parameters:
        ///   - service: The service.
        ///   - type: The type of a vendor registered with the service.
        ///   - received: Returns the events received by the vendor so far.
        /// - Returns: The subject.
        public static func vendor(
            _ service: any VendorService,
            type: TrackerType,
            received: @escaping @Sendable () async throws -> [VendorEvent]
        ) -> Subject {
            Subject {
                service.track(VendorEvent(type, $0, $1))
            } received: {
                try await received().map { ($0.name, $0.parameters) }
            }
        }
    }

    /// The checks of the contract.
    public static let checks: [Check] = [
        Check("events of one thread arrive in their order, with their own parameters") { subject in
            for number in 1...200 { subject.track("contract", ["number": .int(number), "currency": "XTS"]) }

            let received = try await subject.received()
            try expect(numbers(received) == Array(1...200), "\(numbers(received)) arrived instead of 1…200")
            let currencies = Set(received.map { $0.parameters["currency"] })
            try expect(currencies == ["XTS"], "an own parameter was overridden: \(currencies)")
        },
        Check("events of many threads arrive once each, and those of one thread in their order") { subject in
            await withTaskGroup { group in
                for thread in 0..<8 {
                    group.addTask {
                        for number in 0..<100 { subject.track("contract", ["number": .int(thread * 100 + number)]) }
                    }
                }
            }

            let numbers = numbers(try await subject.received())
            try expect(numbers.sorted() == Array(0..<800), "\(numbers.count) of 800 arrived")
            for thread in 0..<8 {
                let own = numbers.filter { $0 / 100 == thread }
                try expect(own == own.sorted(), "the events of one thread are out of order: \(own)")
            }
        },
        Check("an event that no receiver accepts affects neither the app nor the next event") { subject in
            let long = String(repeating: "é", count: 10_000)
            for text in ["", " ", "\0", "\u{202E}", "👩‍👩‍👧‍👦", "\"\n", long] {
                subject.track(text, [ParameterKey(text): .string(text)])
            }
            subject.track("contract", ["price": .double(.nan), "list": deepList, "count": .int(.min)])
            subject.track("contract", ["number": 1])

            let numbers = numbers(try await subject.received())
            try expect(numbers.last == 1, "the event after the invalid ones did not arrive: \(numbers)")
        },
    ]

    private static let deepList = (0..<100).reduce(ParameterValue.int(0)) { inner, _ in .array([inner]) }

    private static func numbers(_ events: [(name: String, parameters: EventParameters)]) -> [Int] {
        events.compactMap { if case .int(let number) = $0.parameters["number"] { number } else { nil } }
    }
}
