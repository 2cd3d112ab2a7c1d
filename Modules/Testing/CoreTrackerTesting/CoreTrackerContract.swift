public import CoreTracker

/// The contract of `CoreTracker`.
///
/// ```swift
/// @Test(arguments: CoreTrackerContract.checks)
/// func `keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
///     try await check.run(CoreTrackerContract.Subject(tracker) { [tracker] in tracker.services })
/// }
/// ```
public enum CoreTrackerContract {
    /// A tracker under test, with access to the events that its services have received.
    public struct Subject: Sendable {
        /// The tracker.
        let tracker: any CoreTracker
        /// Returns the events received by the tracker's services so far, in order.
        let received: @Sendable () -> [EventService]
        /// Whether the tracker has a vendor service.
        ///
        /// If not, events for vendors are counted and not sent.
        var hasVendorService = true
        /// The default parameters that the tracker itself adds to each event, or `nil` for any.
        var defaults: EventParameters?

        /// Creates a subject from a tracker with access to the events of its services.
        ///
        /// - Parameters:
        ///   - tracker: The tracker, to which nothing has been tracked yet.
        ///   - received: Returns the events received by the tracker's services so far, in order.
        public init(_ tracker: any CoreTracker, received: @escaping @Sendable () -> [EventService]) {
            self.tracker = tracker
            self.received = received
        }

        /// Creates a subject from a new tracker with recording services.
        ///
        /// - Parameters:
        ///   - defaults: The default parameters that the tracker itself adds to each event, such as those of a feature.
        ///     If it is `nil`, they are not checked.
        ///   - make: Creates the tracker with the given services.
        public init(
            defaults: EventParameters? = nil,
            _ make: (any FirebaseService, any AwesomeTrackingService, any VendorService) -> any CoreTracker
        ) {
            let log = EventLog()
            let service = LoggingService(log: log)
            self.init(make(service, service, service)) { log.events.flatMap(\.services) }
            self.defaults = defaults
        }

        /// Creates a subject from a new tracker with recording services, but without a vendor service.
        ///
        /// - Parameter make: Creates the tracker with the given services.
        public init(withoutVendors make: (any FirebaseService, any AwesomeTrackingService) -> any CoreTracker) {
            let log = EventLog()
            let service = LoggingService(log: log)
            self.init(make(service, service)) { log.events.flatMap(\.services) }
            hasVendorService = false
        }
    }

    /// A check of one rule of the contract.
    public typealias Check = ContractCheck<Subject>

    /// The checks of the contract.
    public static let checks: [Check] = routes + threads

    /// The checks of the services that receive an event.
    private static let routes: [Check] = [
        Check("each service receives its part of an event before track returns, in the event's order") { subject in
            let event = ContractEvent(.vendor("a", 1), .firebase(2), .awesomeTracking(3), .vendor("b", 4), .firebase(5))

            subject.tracker.track(event)

            try expectReceived(event.services, by: subject)
            let vendors = subject.tracker.vendorService
            try expect(
                subject.hasVendorService || vendors is NoVendorService,
                "events for vendors go to \(type(of: vendors)) instead of NoVendorService, which counts them"
            )
        },
        Check("an event without services reaches none") { subject in
            subject.tracker.track(ContractEvent())

            try expectReceived([], by: subject)
        },
        Check("each event has the tracker's default parameters beside its own") { subject in
            let event = ContractEvent(.firebase(1), .awesomeTracking(2), .vendor("a", 3))

            subject.tracker.track(event)

            try expectReceived(event.services, by: subject)
            guard let defaults = subject.defaults else { return }
            for event in subject.received().map(\.event) {
                try expect(event.defaults == defaults, "\(event) has \(event.defaults) instead of \(defaults)")
            }
        },
        Check("the names and values of an event arrive unchanged") { subject in
            let long = String(repeating: "é", count: 10_000)
            let texts = ["", " ", "\0", "\u{202E}", "👩‍👩‍👧‍👦", "\"\n", long]
            let event = ContractEvent(
                services: texts.map {
                    let parameters: EventParameters = [
                        ParameterKey($0): .string($0), "nested": [["a": 1], [], .int(.min)],
                    ]
                    return .firebase(FirebaseEvent(name: $0, parameters: parameters))
                }
            )

            subject.tracker.track(event)

            try expectReceived(event.services, by: subject)
        },
    ]

    /// The checks of order and of calls from several threads.
    private static let threads: [Check] = [
        Check("events of one thread arrive in their order") { subject in
            for number in 1...200 { subject.tracker.track(ContractEvent(.firebase(number), .awesomeTracking(number))) }

            try expectReceived((1...200).flatMap { [.firebase($0), .awesomeTracking($0)] }, by: subject)
        },
        Check("events of many threads arrive once each, and those of one thread in their order") { subject in
            await withTaskGroup { group in
                for thread in 0..<8 {
                    group.addTask {
                        for number in 0..<100 { subject.tracker.track(ContractEvent(.firebase(thread * 100 + number))) }
                    }
                }
            }

            let numbers = subject.received().compactMap(\.number)
            try expect(numbers.sorted() == Array(0..<800), "\(numbers.count) of 800 arrived")
            for thread in 0..<8 {
                let own = numbers.filter { $0 / 100 == thread }
                try expect(own == own.sorted(), "the events of one thread are out of order: \(own)")
            }
        },
        Check("an event may track another one while its services are read") { subject in
            subject.tracker.track(EchoingEvent(tracker: subject.tracker))

            let numbers = subject.received().compactMap(\.number).sorted()
            try expect(Set(numbers) == [1, 2], "\(numbers) arrived instead of 1 and 2")
        },
    ]

    private static func expectReceived(_ services: [EventService], by subject: Subject) throws {
        let received = subject.received().map(\.withoutDefaults)
        let services = services.filter { subject.hasVendorService || !$0.isForVendor }
        try expect(
            received == services,
            "the services received \(received) instead of \(services)"
        )
    }
}

/// An event that tracks another event when its services are read.
private struct EchoingEvent: CoreTrackable {
    let tracker: any CoreTracker

    var services: [EventService] {
        tracker.track(ContractEvent(.firebase(1)))
        return [.firebase(2)]
    }
}

/// An event for the contracts' checks.
struct ContractEvent: CoreTrackable {
    let services: [EventService]

    init(services: [EventService]) {
        self.services = services
    }

    init(_ services: EventService...) {
        self.services = services
    }
}

extension EventService {
    /// Returns a numbered event for Firebase.
    static func firebase(_ number: Int) -> EventService {
        .firebase(FirebaseEvent(name: "contract", parameters: ["number": .int(number)]))
    }

    /// Returns a numbered event for AwesomeTracking.
    static func awesomeTracking(_ number: Int) -> EventService {
        .awesomeTracking(AwesomeTrackingEvent(name: "contract", parameters: ["number": .int(number)]))
    }

    /// Returns a numbered event for a vendor.
    static func vendor(_ type: TrackerType, _ number: Int) -> EventService {
        .vendor(VendorEvent(type, "contract", ["number": .int(number)]))
    }

    /// The event's number, if it has one.
    var number: Int? {
        guard case .int(let number) = event.parameters["number"] else { return nil }
        return number
    }

    /// Whether the event is for a vendor.
    var isForVendor: Bool { if case .vendor = self { true } else { false } }

    /// The event without a tracker's default parameters.
    var withoutDefaults: EventService {
        switch self {
        case .firebase(var event):
            event.defaults = []
            return .firebase(event)
        case .awesomeTracking(var event):
            event.defaults = []
            return .awesomeTracking(event)
        case .vendor(var event):
            event.defaults = []
            return .vendor(event)
        }
    }
}
