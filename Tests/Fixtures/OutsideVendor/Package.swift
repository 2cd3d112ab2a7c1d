// swift-tools-version: 6.2
import PackageDescription

// A vendor as a team outside the repository adds it: nothing in any module here changes for it.
let package = Package(
    name: "OutsideVendor",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: [
        .executableTarget(
            name: "OutsideVendor",
            dependencies: ["CoreTracker", "EventDelivery", "EventDeliveryTesting"].map {
                .product(name: $0, package: "ModularEventTracker")
            }
        )
    ]
)
