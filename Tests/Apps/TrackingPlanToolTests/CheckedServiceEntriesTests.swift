import AwesomeTracking
import CoreTracker
import DLCheckout
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import Foundation
import SuperApp
import Testing

@testable import TrackingPlan
@testable import TrackingPlanTool

@Suite struct CheckedServiceEntriesTests {
    @Test func `every event of every module is in the export of its module`() throws {
        let exported = [EventCatalog].all.flatMap { catalog in catalog.events.map { "\(catalog.module).\($0)" } }
        let declared = EventTypes(in: try SourceFile.all(in: Repository.shelves())).names

        #expect(Set(declared).subtracting(exported) == [], "in no module's EventCatalog, or not in ProductEntry.all")
        #expect(Set(exported).subtracting(declared) == [], "a catalog names the module that owns its events")
        #expect(Set(exported).count == exported.count)
    }

    @Test func `the events of this repository satisfy the rules of their services`() throws {
        let findings = PlanCheck.findings(in: .all, at: try CheckedService.all())

        #expect(findings.isEmpty)
    }

    @Test func `one call checks the events of one module`() throws {
        let firebase = try FirebaseConfiguration(firebaseAppID: "1:1:ios:1", apiSecret: "none")
        let ga4 = FirebaseDestination(product: "DL", configuration: firebase)
        let rows = try ClickHouseConfiguration(endpoint: Endpoint("https://localhost"))
        let clickHouse = ClickHouseDestination(product: "DL", configuration: rows)

        let services = [CheckedService(ga4, rules: firebase.rules), CheckedService(clickHouse)]
        let findings = PlanCheck.findings(in: [.dlCheckout], at: services)

        #expect(findings.isEmpty)
    }

    /// The events of these three rows contain lists, which the in-house service accepts.
    ///
    /// They have a separate form for Firebase.
    @Test func `one call checks a module's events for every vendor, even if they do not name it`() throws {
        let destinations = try CheckedService.all().map(\.destination)

        let findings = [EventCatalog].all.flatMap { catalog in
            RuleCheck.findings(in: catalog, against: destinations.filter { $0.lane.product == catalog.product })
        }

        let stated = [
            "DLListingViewed (listing_viewed): DL/firebase: value_nested",
            "TYCheckoutViewed (checkout_view): TY/firebase: value_nested",
            "TYPurchased (purchase_complete): TY/firebase: value_nested",
        ]
        #expect(findings.map(\.description) == stated)
    }
}
