import EventTracking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RemoteQuotas {
    /// Reads a document.
    package init(document: some Collection<UInt8>) throws(QuotasError) {
        let count = document.count
        guard count <= RemoteQuotas.maximumBytes else { throw .tooLarge(bytes: count) }
        do {
            self = try JSONDecoder().decode(RemoteQuotas.self, from: Data(document))
        } catch let error as QuotasError {
            throw error
        } catch {
            throw .malformed(at: RemoteQuotas.path(of: error))
        }
    }

    /// Returns the path of the value in a decoder's error.
    private static func path(of error: any Error) -> String {
        let keys: [any CodingKey] =
            switch error as? DecodingError {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            default: []
            }
        return keys.map(\.stringValue).joined(separator: ".")
    }
}
