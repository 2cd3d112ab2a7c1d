import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct DiskReserveTests {
    @Test func `the reserve is taken once and given free once`() throws {
        let directory = try TemporaryQueue()
        let reserve = DiskReserve(queue: directory.url.appending(path: "queue-1.db").path)

        reserve.fill()
        reserve.fill()

        #expect(OutboxDirectory.size(directory.url.appending(path: "queue-1.db.ballast").path) == 1_310_720)
        #expect(reserve.release())
        #expect(!reserve.release())
        #expect(directory.files.isEmpty)
    }

    @Test func `where nothing can be written there is no reserve`() {
        let reserve = DiskReserve(queue: "/proc/none/queue-1.db")

        reserve.fill()

        #expect(!reserve.release())
    }
}
