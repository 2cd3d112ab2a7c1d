// swift-tools-version: 6.2
import PackageDescription

// The drivers of Scripts/benchmark --peers, which store the same events with different libraries. Measuring has the
// events and the clock, ModularEventTracker is the driver of this library, and Nothing is the cost of measuring. A driver
// of another library is a package elsewhere, which depends on the product Measuring.
let package = Package(
    name: "Peers",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Measuring", targets: ["Measuring"])],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: [
        .target(name: "Measuring"),
        .executableTarget(
            name: "ModularEventTracker",
            dependencies: ["Measuring"]
                + ["AwesomeTracking", "CoreTracker", "EventDelivery", "EventTracking"].map {
                    .product(name: $0, package: "ModularEventTracker")
                }
        ),
        .executableTarget(name: "Nothing", dependencies: ["Measuring"]),
    ]
)
