import CoreTracker
import Foundation

/// A campaign that a link names by its `utm_…` parameters.
///
/// No other part of a link's query is read, because it can contain personal data. Pass a campaign to
/// ``DeepLinkOpened/init(link:campaign:)``:
///
/// ```swift
/// tracker.track(DeepLinkOpened(link: link, campaign: Campaign(link: link)))
/// ```
public struct Campaign: Sendable, Hashable {
    /// A parameter of a link that a campaign can have.
    public enum Field: String, Sendable, Hashable, CaseIterable {
        /// The referrer, such as `newsletter`: `utm_source`.
        case source = "utm_source"
        /// The kind of referrer, such as `email`: `utm_medium`.
        case medium = "utm_medium"
        /// The name of the campaign: `utm_campaign`.
        case campaign = "utm_campaign"
        /// The id of the campaign: `utm_id`.
        case id = "utm_id"
        /// The keywords of an advertisement: `utm_term`.
        case term = "utm_term"
        /// The variant of an advertisement: `utm_content`.
        case content = "utm_content"
    }

    /// The maximum size of a value in bytes.
    ///
    /// A longer value is left out, as is an empty one.
    public static let maximumBytes = 100

    /// The values of the campaign's fields, decoded.
    public let values: [Field: String]

    /// Reads the campaign of a link.
    ///
    /// If a field is repeated, its first valid value counts.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - fields: The fields to read. Leave out those whose values may contain personal data.
    /// - Returns: `nil` if the link has no source, medium or campaign among these fields, one of which Google requires.
    public init?(link: String, allowing fields: Set<Field> = Set(Field.allCases)) {
        var values: [Field: String] = [:]
        let parts = link.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.dropFirst().first ?? ""
        for item in query.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let field = Field(rawValue: String(parts[0])), fields.contains(field),
                values[field] == nil
            else { continue }
            let value =
                parts[1].split(separator: "+", omittingEmptySubsequences: false).joined(separator: " ")
                .removingPercentEncoding ?? ""
            if !value.isEmpty, value.utf8.count <= Campaign.maximumBytes { values[field] = value }
        }
        guard values.keys.contains(where: { [.source, .medium, .campaign].contains($0) }) else { return nil }
        self.values = values
    }

    /// The parameters under the names of Google's event `campaign_details`.
    var parameters: EventParameters {
        [
            .campaignSource(values[.source]), .campaignMedium(values[.medium]), .campaignName(values[.campaign]),
            .campaignID(values[.id]), .campaignTerm(values[.term]), .campaignContent(values[.content]),
        ]
    }
}

/// The parameter keys of a campaign.
extension EventParameter {
    /// The referrer of a link's campaign.
    static let campaignSource = Key<String>("source")
    /// The kind of referrer of a link's campaign.
    static let campaignMedium = Key<String>("medium")
    /// The name of a link's campaign.
    static let campaignName = Key<String>("campaign")
    /// The keywords of a link's advertisement.
    static let campaignTerm = Key<String>("term")
    /// The variant of a link's advertisement.
    static let campaignContent = Key<String>("content")
}
