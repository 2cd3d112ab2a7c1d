import EventTracking
import Testing

@testable import EventOutbox

@Suite struct OutboxErrorTests {
    // The extended result codes IOERR_FSYNC and IOERR_DIR_FSYNC of SQLite.
    @Test(arguments: [
        (OutboxError.failed(code: 1034), true), (.failed(code: 1290), true), (.failed(code: 10), false),
        (.full, false), (.unavailable(code: 1034), false),
    ])
    func `a failed sync is distinguished from every other failure`(error: OutboxError, isFailedSync: Bool) {
        #expect(error.isFailedSync == isFailedSync)
    }
}
