import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct InMemoryOutboxTests {
    @Test func `it keeps the contract of outboxes`() throws {
        try OutboxContract.check(InMemoryOutbox())
    }
}
