import Foundation

/// A Swift file with the name of its module.
struct SourceFile {
    let module: String
    let text: String
    /// The address, or `nil` for a text that is in no file.
    var url: URL?

    /// Reads the Swift files of folders whose subfolders are modules, ordered by module and path.
    static func all(in folders: [URL]) throws -> [SourceFile] {
        let files = try folders.flatMap { folder in
            let root = folder.standardizedFileURL.path
            return try FileManager.default.subpathsOfDirectory(atPath: root).map { (root: root, path: $0) }
        }
        return try files.sorted { $0.path < $1.path }.filter { $0.path.hasSuffix(".swift") }.map { root, path in
            let url = URL(filePath: "\(root)/\(path)")
            return SourceFile(
                module: String(path.prefix { $0 != "/" }),
                text: try String(contentsOf: url, encoding: .utf8),
                url: url
            )
        }
    }
}
