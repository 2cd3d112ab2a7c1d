import Foundation

/// A file next to a test, such as the golden body of a request.
///
/// ```swift
/// #expect(wire == (try Fixture.text("capabilities.json")))
/// ```
public enum Fixture {
    /// Reads a file in the folder `Fixtures` next to the calling test file.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - file: The path of the test file.
    /// - Returns: The text, without its final line feed.
    /// - Throws: An error if the file cannot be read.
    public static func text(_ name: String, beside file: String = #filePath) throws -> String {
        let url = URL(filePath: file).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
