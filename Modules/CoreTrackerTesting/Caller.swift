import Testing

#if canImport(XCTest)
import XCTest
#endif

/// Where an expectation stands in a test's source.
struct Caller: Sendable {
    /// The file as the compiler names it, `Module/File.swift`.
    let fileID: StaticString
    /// The file's path.
    let filePath: StaticString
    /// The line, from 1.
    let line: UInt
    /// The column, from 1.
    let column: UInt

    /// Fails the running test at this place; does nothing without a message.
    ///
    /// A test of Swift Testing is known by its task. Outside of one an XCTest is running, or a thread of nobody's: both
    /// frameworks hear of it then, because each ignores what it has no test for.
    func fail(_ message: String?) {
        guard let message else { return }
        #if canImport(XCTest)
        if Test.current == nil { XCTFail(message, file: filePath, line: line) }
        #endif
        let location = SourceLocation(
            fileID: fileID.description,
            filePath: filePath.description,
            line: Int(line),
            column: Int(column)
        )
        Issue.record(Comment(rawValue: message), sourceLocation: location)
    }
}
