// swift-tools-version: 6.2
import PackageDescription

// A feature that imports a vendor. It must not compile, because a product's library contains no vendor.
let package = Package(
    name: "VendorImport",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: [
        .target(
            name: "Feature",
            dependencies: [.product(name: "DolapLite", package: "ModularEventTracker")],
            path: "Feature"
        )
    ]
)
