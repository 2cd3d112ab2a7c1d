// swift-tools-version: 6.2
import PackageDescription

// A vendor as a team outside the repository adds it: its tracker, its contract test, and an app with a capability and
// an SDK that are unknown to this repository. Scripts/new copies the tracker and its test.
func ours(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "ModularEventTracker") }
}

let package = Package(
    name: "OutsideVendor",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: [
        .target(name: "OutsideTracker", dependencies: ours("CoreTracker", "EventDelivery")),
        .executableTarget(
            name: "OutsideVendor",
            dependencies: ["OutsideTracker"]
                + ours("CoreTracker", "EventDelivery", "EventDeliveryTesting", "SDKDelivery")
        ),
        .testTarget(
            name: "OutsideTrackerTests",
            dependencies: ["OutsideTracker"]
                + ours("CoreTracker", "CoreTrackerTesting", "EventDelivery", "EventDeliveryTesting"),
            exclude: ["Fixtures"]
        ),
    ]
)
