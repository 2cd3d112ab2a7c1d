// swift-tools-version: 6.2
import PackageDescription

// The subjects of five articles on trackers, each with the library that it needs.
let articles: KeyValuePairs = [
    "ModularTracker": "CoreTracker",
    "SeveralTrackers": "CoreTracker",
    "VendorTrackers": "CoreTracker",
    "GoogleAdapter": "CoreTracker",
    "GameAndPlayers": "Starfield",
]

let package = Package(
    name: "Articles",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: articles.map { name, library in
        .testTarget(
            name: "\(name)Tests",
            dependencies: [library, "CoreTrackerTesting"].map { .product(name: $0, package: "ModularEventTracker") },
            swiftSettings: [.treatAllWarnings(as: .error)]
        )
    }
)
