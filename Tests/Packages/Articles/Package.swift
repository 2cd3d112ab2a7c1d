// swift-tools-version: 6.2
import PackageDescription

// The subjects of four articles on trackers. That of the fifth, a game and a list of players, is the shelf Starfield.
let articles = ["ModularTracker", "SeveralTrackers", "VendorTrackers", "GoogleAdapter"]

let package = Package(
    name: "Articles",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: articles.map { name in
        .testTarget(
            name: "\(name)Tests",
            dependencies: ["CoreTracker", "CoreTrackerTesting"].map {
                .product(name: $0, package: "ModularEventTracker")
            },
            swiftSettings: [.treatAllWarnings(as: .error)]
        )
    }
)
