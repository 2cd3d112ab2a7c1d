public import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An HTTP source of Sumo Logic: its address, which is the secret, and what its lines are filed under.
public struct SumoConfiguration: Sendable {
    /// The address; whoever has it can write to the source.
    let address: Secret
    /// The host, which is none.
    let host: String
    /// What the lines are filed under.
    let metadata: SumoMetadata?

    /// Creates a configuration from the address that Sumo Logic shows for the source; an error does not repeat it.
    public init(address: Secret, metadata: SumoMetadata? = nil) throws(ConfigurationError) {
        host = try Endpoint(address.value).url.host ?? ""
        self.address = address
        self.metadata = metadata
    }

    /// The address as a URL; the check at the start leaves no other case.
    var url: URL { URL(string: address.value) ?? URL(filePath: "/") }
}

extension SumoConfiguration: CustomStringConvertible, CustomReflectable {
    public var description: String { "https://\(host)/‹redacted›" }
    public var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
