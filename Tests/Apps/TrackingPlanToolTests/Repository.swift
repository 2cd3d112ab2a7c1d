import Foundation

/// The repository that contains these tests.
enum Repository {
    /// Returns the folders of modules.
    static func shelves() throws -> [URL] {
        let modules = URL(filePath: #filePath).appending(path: "../../../../Modules").standardizedFileURL
        return try FileManager.default.contentsOfDirectory(at: modules, includingPropertiesForKeys: nil)
    }
}
