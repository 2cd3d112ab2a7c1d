import AdobeTracker
import AwesomeTracking
import BrazeTracker
import EventDelivery
import FirebaseTracking
import SumoTracker
import Testing

@testable import TrackingPlan

@Suite struct CheckedServiceTests {
    @Test func `it delivers only its product's events for its service`() throws {
        let firebase = try #require(CheckedService.stubs().first)

        #expect(firebase.accepts("firebase", of: "AC"))
        #expect(!firebase.accepts("firebase", of: "DL"))
        #expect(!firebase.accepts("braze", of: "AC"))
    }

    @Test func `its summary names the limits, and a service without rules the size`() throws {
        let services = try CheckedService.stubs()

        let firebase = services[0].summary
        for part in [
            "at most 40 letters", "at most 25 parameters", "at most 100 characters", "200 flat objects", "`ga_`",
        ] {
            #expect(firebase.contains(part))
        }
        #expect(services[1].summary == "a name; at most 262144 bytes an event")
    }

    @Test func `its summary states that a vendor needs the tracker's vendor service`() throws {
        let needs = try CheckedService.stubs().map { $0.summary.contains("vendor service, else `no_vendor_service`") }

        #expect(needs == [false, false, true, true, true])
    }
}

extension CheckedService {
    /// The services of the product in these tests.
    static func stubs() throws -> [CheckedService] {
        let firebase = try FirebaseConfiguration(firebaseAppID: "1:1:ios:1", apiSecret: Secret("none"))
        let rows = try ClickHouseConfiguration(endpoint: Endpoint("https://localhost"))
        let braze = try BrazeConfiguration(endpoint: Endpoint("https://localhost"), apiKey: Secret("none"))
        let adobe = try AdobeConfiguration(datastreamID: "none")
        let sumo = SumoConfiguration(endpoint: try Endpoint("https://localhost"))
        return [
            CheckedService(FirebaseDestination(product: "AC", configuration: firebase), rules: .appStream),
            CheckedService(ClickHouseDestination(product: "AC", configuration: rows)),
            CheckedService(BrazeDestination(product: "AC", configuration: braze), rules: .braze),
            CheckedService(AdobeDestination(product: "AC", configuration: adobe), rules: .adobe),
            CheckedService(SumoDestination(product: "AC", configuration: sumo)),
        ]
    }
}
