// swift-tools-version: 6.2
import PackageDescription

// The smallest app of one product with two services, for the benchmark's figures of code and start-up, the options that
// it does not use, and the floor of the start-up: a program that links the same libraries and stores a row without the
// engine.
let package = Package(
    name: "Client",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Client",
            dependencies: ["AwesomeTracking", "DolapLite", "EventDelivery", "FirebaseTracking"].map {
                .product(name: $0, package: "ModularEventTracker")
            }
        ),
        .target(
            name: "Options",
            dependencies: [
                "DeliveryMetrics", "FeatureFlags", "FormatChanges", "FoundationParameters", "ProfileUpdates",
                "QuotasFetching", "SDKDelivery", "SentRecord", "ServerDelivery", "TimedEvents", "WebBridge",
            ].map {
                .product(name: $0, package: "ModularEventTracker")
            }
        ),
        .systemLibrary(name: "SystemSQLite"),
        .executableTarget(
            name: "HandWritten",
            dependencies: ["SystemSQLite"],
            linkerSettings: [.linkedLibrary("curl", .when(platforms: [.linux])), .linkedLibrary("z")]
        ),
    ]
)
