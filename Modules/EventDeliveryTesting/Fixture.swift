import Foundation

/// A file beside a test, such as the golden body of a request.
public enum Fixture {
    /// The text of a file in the folder `Fixtures` beside the calling test file, without its last line feed.
    public static func text(_ name: String, beside file: String = #filePath) throws -> String {
        let url = URL(filePath: file).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
