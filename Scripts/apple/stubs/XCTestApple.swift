// Declarations that XCTest has on Apple platforms, as documented, and the toolchain's XCTest lacks.
@_exported import XCTest

public struct XCTSourceCodeLocation {
    public var lineNumber: Int
}

public struct XCTSourceCodeContext {
    public var location: XCTSourceCodeLocation?
}

public struct XCTIssue {
    public var compactDescription: String
    public var sourceCodeContext: XCTSourceCodeContext
}

open class XCTestCase: XCTest::XCTestCase {
    open func record(_ issue: XCTIssue) {}
}
