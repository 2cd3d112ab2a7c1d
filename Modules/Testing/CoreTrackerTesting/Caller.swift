import Testing

#if canImport(XCTest)
import XCTest
#endif

/// The position of an expectation in a test's source.
struct Caller: Sendable {
    /// The file in the compiler's form, `Module/File.swift`.
    let fileID: StaticString
    /// The file's path.
    let filePath: StaticString
    /// The line, starting at 1.
    let line: UInt
    /// The column, starting at 1.
    let column: UInt

    /// Fails the running test at this position.
    ///
    /// Swift Testing identifies its test by the current task. If there is none, an XCTest is running, or a thread
    /// without a test. Both frameworks receive the failure in that case, because each ignores failures outside its own
    /// tests.
    ///
    /// - Parameter message: The failure. If it is `nil`, nothing happens.
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
