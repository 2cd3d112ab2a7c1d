/// The names of platforms in AwesomeTracking.
public enum AwesomeTrackingPlatform {
    /// The platform for which this code was compiled.
    public static let current: String = {
        #if os(iOS)
        "ios"
        #elseif os(macOS)
        "macos"
        #elseif os(tvOS)
        "tvos"
        #elseif os(watchOS)
        "watchos"
        #elseif os(visionOS)
        "visionos"
        #elseif os(Linux)
        "linux"
        #else
        "other"
        #endif
    }()
}
