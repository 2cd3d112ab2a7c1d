// swift-tools-version: 6.2
import PackageDescription

// The same code, in Shared, under the compiler settings of four teams that use this package.
let settings: [String: [SwiftSetting]] = [
    "Swift6": [.swiftLanguageMode(.v6)],
    "Swift5": [.swiftLanguageMode(.v5)],
    "MainActorByDefault": [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)],
    "StrictImports": [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ],
]

let package = Package(
    name: "Consumers",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: settings.keys.sorted().map { name in
        .target(
            name: name,
            dependencies: [
                "AppTracking", "AwesomeTracking", "CoreTracker", "CoreTrackerTesting", "DeliveryMetrics", "DolapLite",
                "EventTracking", "EventDelivery", "FirebaseTracking", "ServerDelivery", "Trendyol",
            ].map { .product(name: $0, package: "ModularEventTracker") },
            path: name,
            swiftSettings: settings[name, default: []] + [.treatAllWarnings(as: .error)]
        )
    }
)
