import CoreTracker
import Locks
import Testing

@Suite struct PrintingServiceTests {
    @Test func `each kind of event is one line, with sensitive values redacted`() {
        let lines = Mutex<[String]>([])
        let service = PrintingService { line in lines.withLock { $0.append(line) } }

        service.track(FirebaseEvent("view_item", ["item_id": "7"]))
        service.track(AwesomeTrackingEvent("signed_up", .sensitive(Sensitive("ali@example.com"), as: "mail", .hash)))
        service.track(VendorEvent("braze", "liked"))

        #expect(
            lines.withLock { $0 } == [
                #"firebase view_item ["item_id": "7"]"#,
                #"awesomeTracking signed_up ["mail": ‹redacted›]"#,
                "braze liked [:]",
            ]
        )
    }
}
