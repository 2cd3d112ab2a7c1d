import ACBasket
import AwesomeTracking
import EventDelivery
import FirebaseTracking
import TrackingPlan

@main
enum ACPlan {
    static func main() throws {
        let firebase = try FirebaseConfiguration(firebaseAppID: "1:1:ios:1", apiSecret: "none")
        let ga4 = FirebaseDestination(product: "AC", configuration: firebase)
        let rows = try ClickHouseConfiguration(endpoint: Endpoint("https://localhost"))
        let clickHouse = ClickHouseDestination(product: "AC", configuration: rows)
        let services = [CheckedService(ga4, rules: firebase.rules), CheckedService(clickHouse)]
        PlanTool(catalogs: [.acBasket], services: services).runAndExit()
    }
}
