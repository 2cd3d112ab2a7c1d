import CoreTracker
import CoreTrackerTesting
import Locks
import Testing

@Suite(.timeLimit(.minutes(5))) struct CoreTrackerContractTests {
    @Test(arguments: CoreTrackerContract.checks.filter { !$0.description.contains("without services") })
    func `a tracker that drops all events fails every check except for events without services`(
        check: CoreTrackerContract.Check
    ) async {
        let subject = CoreTrackerContract.Subject(FaultyTracker(.forgets)) { [] }

        await #expect(throws: ContractViolation.self) { try await check.run(subject) }
    }

    @Test(arguments: FaultyTracker.Fault.allCases)
    func `a tracker with a fault fails a check`(fault: FaultyTracker.Fault) async {
        var broken = 0
        for check in CoreTrackerContract.checks {
            let tracker = FaultyTracker(fault)
            let subject = CoreTrackerContract.Subject(tracker) { tracker.received }
            do { try await check.run(subject) } catch { broken += 1 }
        }

        #expect(broken > 0)
    }

    @Test func `a tracker with other default parameters than the given ones fails a check`() async {
        var broken: [String] = []
        for check in CoreTrackerContract.checks {
            let subject = CoreTrackerContract.Subject(defaults: ["screen": "basket"]) {
                PlainTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
            }
            do { try await check.run(subject) } catch { broken.append(check.description) }
        }

        #expect(broken == ["each event has the tracker's default parameters beside its own"])
    }

    @Test func `a tracker of two services that does not count events for vendors fails a check`() async {
        var broken = 0
        for check in CoreTrackerContract.checks {
            let subject = CoreTrackerContract.Subject(withoutVendors: {
                UncountingTracker(firebaseService: $0, awesomeTrackingService: $1)
            })
            do { try await check.run(subject) } catch { broken += 1 }
        }

        #expect(broken == 1)
    }
}

/// A tracker without default parameters.
private struct PlainTracker: CoreTracker {
    let firebaseService: any FirebaseService
    let awesomeTrackingService: any AwesomeTrackingService
    let vendorService: any VendorService
}

/// A tracker whose vendor service does not count its events.
private struct UncountingTracker: CoreTracker {
    let firebaseService: any FirebaseService
    let awesomeTrackingService: any AwesomeTrackingService
    let vendorService: any VendorService = Uncounting()

    private struct Uncounting: VendorService {
        func track(_ event: VendorEvent) {}
    }
}

/// A tracker with one fault.
final class FaultyTracker: CoreTracker {
    /// A fault of the tracker.
    enum Fault: CaseIterable {
        case forgets, reverses, skipsVendors, doubles
    }

    private let fault: Fault
    private let log = Mutex<[EventService]>([])
    private let mock = MockTracker()

    init(_ fault: Fault) {
        self.fault = fault
    }

    var received: [EventService] { log.withLock { $0 } }
    var firebaseService: any FirebaseService { mock.firebaseService }
    var awesomeTrackingService: any AwesomeTrackingService { mock.awesomeTrackingService }
    var vendorService: any VendorService { mock.vendorService }

    func track(_ event: some CoreTrackable) {
        let services = event.services
        let received: [EventService] =
            switch fault {
            case .forgets: []
            case .reverses: services.reversed()
            case .skipsVendors: services.filter { if case .vendor = $0 { false } else { true } }
            case .doubles: services + services
            }
        log.withLock { $0 += received }
    }
}

@Suite(.timeLimit(.minutes(5))) struct ServiceContractTests {
    @Test(arguments: ServiceContract.checks)
    func `a service that drops all events fails every check`(check: ServiceContract.Check) async {
        await #expect(throws: ContractViolation.self) {
            try await check.run(.firebase(MockFirebaseService()) { [] })
        }
    }

    @Test func `a service that reorders or changes events fails a check`() async throws {
        let check = try #require(ServiceContract.checks.first)
        let service = MockFirebaseService()

        await #expect(throws: ContractViolation.self) {
            try await check.run(.firebase(service) { service.events.reversed() })
        }
        service.reset()
        await #expect(throws: ContractViolation.self) {
            try await check.run(
                .firebase(service) {
                    service.events.map {
                        FirebaseEvent(name: $0.name, parameters: $0.parameters.merging(["currency": "EUR"]))
                    }
                }
            )
        }
    }
}
