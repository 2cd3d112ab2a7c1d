// swift-tools-version: 6.2
import PackageDescription

// The subjects of five articles on trackers, each written with the modules of its subject only.
let articles: KeyValuePairs = [
    "ModularTracker": ["CoreTracker"],
    "SeveralTrackers": ["MultiTracker"],
    "VendorTrackers": ["MultiTracker"],
    "GoogleAdapter": ["Analytics"],
    "GameAndPlayers": ["SFGame", "SFLeaderboard"],
]

let package = Package(
    name: "Articles",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: articles.map { name, modules in
        .testTarget(
            name: "\(name)Tests",
            dependencies: (modules + ["CoreTrackerTesting"]).map {
                .product(name: $0, package: "ModularEventTracker")
            },
            swiftSettings: [.treatAllWarnings(as: .error)]
        )
    }
)
