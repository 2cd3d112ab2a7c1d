import EventTracking
import Foundation
import Testing

@Suite struct OutputFileTests {
    @Test func `a write to a pipe without a reader fails, and does not end the process`() throws {
        let pipe = Pipe()
        let file = OutputFile(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        #expect(file.write("read".utf8) == 4)
        try pipe.fileHandleForReading.close()

        let count = file.write("unread".utf8)

        #expect(count == -1)
    }
}
