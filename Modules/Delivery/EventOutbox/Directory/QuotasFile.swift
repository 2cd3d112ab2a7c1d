package import EventTracking

/// The file of an engine's last accepted quotas document, in the directory of its outbox.
///
/// It is replaced as a whole, so a killed process leaves either the old or the new document. It is not part of the
/// queue file, so it survives the loss and the replacement of that file.
package struct QuotasFile: Sendable {
    private let path: String

    /// Creates a value for a directory.
    ///
    /// - Parameter directory: The locked directory.
    package init(in directory: OutboxDirectory) {
        path = directory.path(of: "quotas")
    }

    /// Reads the document.
    ///
    /// - Parameter type: The document's type.
    /// - Returns: The document, or `nil` if there is no file.
    /// - Throws: `OutboxError.corrupt` if the file is damaged or has an unknown version, or the error of the file
    ///   system.
    package func read<Document: Decodable>(_ type: Document.Type) throws(OutboxError) -> Document? {
        guard let bytes = try OwnFile.contents(of: path, limit: ChecksummedJSON.maximumBytes) else { return nil }
        guard let document = ChecksummedJSON.value(of: type, in: bytes) else { throw .corrupt }
        return document
    }

    /// Replaces the document, which survives a power loss when the function returns.
    ///
    /// - Parameter document: The document.
    /// - Throws: The error of the file system. The old document is still there then.
    package func write(_ document: some Encodable) throws(OutboxError) {
        guard let bytes = ChecksummedJSON.bytes(of: document) else { return }
        try OwnFile.replace(path, with: bytes)
    }
}
