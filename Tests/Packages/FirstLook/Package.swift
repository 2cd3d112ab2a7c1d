// swift-tools-version: 6.2
import PackageDescription

// A tracker with two printing services, in a package that depends on CoreTracker only.
let package = Package(
    name: "FirstLook",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: [
        .executableTarget(
            name: "FirstLook",
            dependencies: [.product(name: "CoreTracker", package: "ModularEventTracker")]
        ),
        .testTarget(
            name: "FirstLookTests",
            dependencies: [
                "FirstLook", .product(name: "CoreTrackerTesting", package: "ModularEventTracker"),
            ]
        ),
    ]
)
