import CLibrary
public import CoreTracker
import Foundation

/// The device and the system on which the app runs, as default parameters.
///
/// Nothing reads it unless the app asks for it, because some of it narrows down who a user is. To add it to the rows of
/// a product, merge ``parameters`` into the product's default parameters. For Google, pass ``googleDevice`` to
/// `FirebaseConfiguration` or `GoogleAnalyticsConfiguration`. Then answer the questions of the store's privacy labels
/// about diagnostics and device data accordingly.
public struct AppContext: Sendable, Hashable {
    /// The name of the system, such as `iOS`.
    public var systemName: String
    /// The version of the system, such as `18.2.0`.
    public var systemVersion: String
    /// The model as its manufacturer names it, such as `iPhone17,1`.
    ///
    /// On macOS, on Linux and in a simulator it is the processor's architecture, such as `arm64`.
    public var model: String
    /// The user's first language, such as `tr-TR`.
    public var language: String

    /// The context of this process.
    public static let current: AppContext = {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return AppContext(
            systemName: systemName,
            systemVersion: "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
            model: machine,
            language: Locale.preferredLanguages.first ?? Locale.current.identifier
        )
    }()

    /// The context as parameters: `os_name`, `os_version`, `device_model` and `language`.
    public var parameters: EventParameters {
        [.osName(systemName), .osVersion(systemVersion), .deviceModel(model), .language(language)]
    }

    /// The context as the members of `device` in Google's Measurement Protocol.
    public var googleDevice: EventParameters {
        [
            "category": .string(category), "language": .string(language), "operating_system": .string(systemName),
            "operating_system_version": .string(systemVersion), "model": .string(model),
        ]
    }

    /// The category that Google's reports use.
    private var category: String {
        switch systemName {
        case "iOS": model.hasPrefix("iPad") ? "tablet" : "mobile"
        case "tvOS": "smart tv"
        case "watchOS": "mobile"
        default: "desktop"
        }
    }

    private static let systemName: String = {
        #if os(iOS)
        "iOS"
        #elseif os(tvOS)
        "tvOS"
        #elseif os(watchOS)
        "watchOS"
        #elseif os(visionOS)
        "visionOS"
        #elseif os(macOS)
        "macOS"
        #else
        "Linux"
        #endif
    }()

    private static let machine: String = {
        var system = utsname()
        guard unsafe uname(&system) == 0 else { return "" }
        return unsafe withUnsafeBytes(of: &system.machine) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }()
}

/// The parameter keys of the context.
extension EventParameter {
    /// The name of the system.
    static let osName = Key<String>("os_name")
    /// The version of the system.
    static let osVersion = Key<String>("os_version")
    /// The device's model.
    static let deviceModel = Key<String>("device_model")
    /// The user's first language.
    static let language = Key<String>("language")
}
