public import CoreTracker

/// A contract that every `FirebaseService` fulfills.
///
/// Run each of ``checks`` as a separate test on a new service. A failed check throws an error that describes the
/// violation, which works in Swift Testing and in XCTest.
public enum FirebaseServiceContract {
    /// The checks of the contract.
    public static let checks = ServiceContract.checks

    /// Runs a check on a new service.
    ///
    /// - Parameters:
    ///   - check: The check to run.
    ///   - service: The service, to which nothing has been tracked yet.
    ///   - received: Returns the events forwarded by the service so far, in order. It may wait for them.
    /// - Throws: A ``ContractViolation`` if the service violates the contract, or an error of `received`.
    public static func run(
        _ check: ServiceContract,
        on service: any FirebaseService,
        received: @escaping @Sendable () async throws -> [FirebaseEvent]
    ) async throws {
        let subject = ServiceContract.Subject { name, parameters in
            service.track(FirebaseEvent(name: name, parameters: parameters))
        } received: {
            try await received().map { ($0.name, $0.parameters) }
        }
        try await check.body(subject)
    }
}

/// A contract that every `AwesomeTrackingService` fulfills.
///
/// Run each of ``checks`` as a separate test on a new service. A failed check throws an error that describes the
/// violation, which works in Swift Testing and in XCTest.
public enum AwesomeTrackingServiceContract {
    /// The checks of the contract.
    public static let checks = ServiceContract.checks

    /// Runs a check on a new service.
    ///
    /// - Parameters:
    ///   - check: The check to run.
    ///   - service: The service, to which nothing has been tracked yet.
    ///   - received: Returns the events forwarded by the service so far, in order, with or without the product's
    ///     default parameters. It may wait for them.
    /// - Throws: A ``ContractViolation`` if the service violates the contract, or an error of `received`.
    public static func run(
        _ check: ServiceContract,
        on service: any AwesomeTrackingService,
        received: @escaping @Sendable () async throws -> [AwesomeTrackingEvent]
    ) async throws {
        let subject = ServiceContract.Subject { name, parameters in
            service.track(AwesomeTrackingEvent(name: name, parameters: parameters))
        } received: {
            try await received().map { ($0.name, $0.parameters) }
        }
        try await check.body(subject)
    }
}

/// A contract that every `VendorService` fulfills.
///
/// Run each of ``checks`` as a separate test on a new service. A failed check throws an error that describes the
/// violation, which works in Swift Testing and in XCTest.
public enum VendorServiceContract {
    /// The checks of the contract.
    public static let checks = ServiceContract.checks

    /// Runs a check on a new service, for a registered vendor.
    ///
    /// - Parameters:
    ///   - check: The check to run.
    ///   - service: The service, to which nothing has been tracked yet.
    ///   - type: The type of a vendor registered with the service.
    ///   - received: Returns the events received by the vendor so far, in order. It may wait for them.
    /// - Throws: A ``ContractViolation`` if the service violates the contract, or an error of `received`.
    public static func run(
        _ check: ServiceContract,
        on service: any VendorService,
        type: TrackerType,
        received: @escaping @Sendable () async throws -> [VendorEvent]
    ) async throws {
        let subject = ServiceContract.Subject { name, parameters in
            service.track(VendorEvent(type, name, parameters))
        } received: {
            try await received().map { ($0.name, $0.parameters) }
        }
        try await check.body(subject)
    }
}

/// A check of one rule of the contract that all services share.
///
/// ``FirebaseServiceContract``, ``AwesomeTrackingServiceContract`` and ``VendorServiceContract`` apply the checks.
public struct ServiceContract: Sendable, CustomStringConvertible {
    /// A service under test, with access to its forwarded events.
    struct Subject: Sendable {
        /// Tracks an event with the service.
        let track: @Sendable (_ name: String, _ parameters: EventParameters) -> Void
        /// Returns the events forwarded by the service so far, in order.
        ///
        /// It may wait for them.
        let received: @Sendable () async throws -> [(name: String, parameters: EventParameters)]
    }

    /// The rule as a sentence.
    public let description: String
    /// Runs the check on a new service.
    let body: @Sendable (Subject) async throws -> Void

    private init(_ description: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// The checks of all rules.
    static let checks = [
        ServiceContract("events of one thread arrive in their order, with their own parameters") { subject in
            for number in 1...200 { subject.track("contract", ["number": .int(number), "currency": "XTS"]) }

            let received = try await subject.received()
            try expect(numbers(received) == Array(1...200), "\(numbers(received)) arrived instead of 1…200")
            let currencies = Set(received.map { $0.parameters["currency"] })
            try expect(currencies == ["XTS"], "an own parameter was overridden: \(currencies)")
        },
        ServiceContract("events of many threads arrive once each, and those of one thread in their order") { subject in
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
        ServiceContract("an event that no receiver accepts affects neither the app nor the next event") { subject in
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

    private static func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
        try ContractViolation.expect(holds, otherwise())
    }
}

/// A direct call of a service, without a typed event.
struct ServiceCall: CoreTrackable {
    /// The service, with its event.
    let service: EventService

    var services: [EventService] { [service] }
}
