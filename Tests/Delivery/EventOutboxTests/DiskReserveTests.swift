import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct DiskReserveTests {
    @Test func `the reserve is taken once and given free once`() throws {
        let directory = try TemporaryQueue()
        let ballast = DiskReserve(queue: directory.url.appending(path: "queue-1.db").path)

        ballast.fill()
        ballast.fill()

        #expect(OutboxDirectory.size(directory.url.appending(path: "queue-1.db.ballast").path) == 1_310_720)
        #expect(ballast.release())
        #expect(!ballast.release())
        #expect(directory.files.isEmpty)
    }

    @Test func `where nothing can be written there is no reserve`() {
        let ballast = DiskReserve(queue: "/proc/none/queue-1.db")

        ballast.fill()

        #expect(!ballast.release())
    }
}
