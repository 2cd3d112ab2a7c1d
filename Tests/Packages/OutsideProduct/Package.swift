// swift-tools-version: 6.2
import PackageDescription

// A product as a team outside the repository adds it: a tracker, a feature with one event, their tests, an app, and the
// tool that writes the tracking plan. Scripts/new copies the tracker, the feature and their tests.
func ours(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "ModularEventTracker") }
}

let package = Package(
    name: "OutsideProduct",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: [
        .target(name: "ACTracker", dependencies: ours("CoreTracker", "EventTracking")),
        .target(name: "ACBasket", dependencies: ["ACTracker"] + ours("CoreTracker")),
        .executableTarget(
            name: "ACApp",
            dependencies: ["ACBasket", "ACTracker"]
                + ours("AwesomeTracking", "CoreTracker", "EventDelivery", "FirebaseTracking", "InspectorClient")
                + ours("EventDeliveryTesting")
        ),
        .executableTarget(
            name: "ACPlan",
            dependencies: ["ACBasket"] + ours("AwesomeTracking", "EventDelivery", "FirebaseTracking", "TrackingPlan")
        ),
        .testTarget(
            name: "ACTrackerTests",
            dependencies: ["ACTracker"]
                + ours("CoreTracker", "CoreTrackerTesting", "EventDelivery", "EventDeliveryTesting")
        ),
        .testTarget(name: "ACBasketTests", dependencies: ["ACBasket"] + ours("CoreTracker", "CoreTrackerTesting")),
    ]
)
