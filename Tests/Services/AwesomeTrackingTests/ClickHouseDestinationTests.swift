import CoreTracker
import EventDelivery
import Foundation
import Testing

@testable import AwesomeTracking

@Suite struct ClickHouseDestinationTests {
    private static let batch = OutgoingBatch(id: .stub(99), events: [.init(id: .stub(), fragment: [0x7B, 0x7D])])

    @Test func `it is the destination of its product's lane`() throws {
        let destination = try ClickHouseDestination.stub()

        #expect(destination.lane == LaneID(product: "DL", service: "awesomeTracking"))
        #expect(destination.purpose == .analytics)
        #expect(destination.batchKey(of: .stub()).isEmpty)
    }

    @Test func `the statement is in the query, and the rows are in the body`() throws {
        let request = try ClickHouseDestination.stub().request(for: Self.batch)

        #expect(
            request.url.absoluteString
                == "https://collector.example:8443/?database=awesome"
                + "&query=INSERT%20INTO%20events%20FORMAT%20JSONEachRow&input_format_skip_unknown_fields=1"
        )
        #expect(request.method == "POST")
        #expect(request.headers == [try HTTPHeader("Content-Type", "application/x-ndjson")])
        #expect(request.allowsGzip)
        #expect(request.body == Array("{}\n".utf8))
    }

    @Test func `credentials are sent as headers`() throws {
        let destination = try ClickHouseDestination.stub(.stub(user: "tracker", password: "p"))

        let request = destination.request(for: Self.batch)

        #expect(request.headers.map(\.name) == ["Content-Type", "X-ClickHouse-User", "X-ClickHouse-Key"])
        #expect(request.headers.map(\.value) == ["application/x-ndjson", "tracker", "p"])
        #expect(request.url.query()?.contains("tracker") == false)
    }

    @Test func `a token is sent as a bearer token`() throws {
        let destination = try ClickHouseDestination.stub(.stub(token: "t0ken"))

        let request = destination.request(for: Self.batch)

        #expect(request.headers.map(\.name) == ["Content-Type", "Authorization"])
        #expect(request.headers.map(\.value) == ["application/x-ndjson", "Bearer t0ken"])
        #expect(request.url.query()?.contains("t0ken") == false)
    }

    @Test func `a header and a token carry the batch's ID if they are configured`() throws {
        let destination = try ClickHouseDestination.stub(
            .stub(server: .modern, idempotencyHeader: "Idempotency-Key")
        )

        let request = destination.request(for: Self.batch)

        let id = EventID.stub(99).description
        #expect(request.headers.last == (try HTTPHeader("Idempotency-Key", id)))
        #expect(request.url.query()?.contains("&insert_deduplication_token=\(id)&") == true)
    }

    @Test func `only a current release is asked to leave texts that look like dates unchanged`() throws {
        let off = "&input_format_try_infer_dates=0&input_format_try_infer_datetimes=0"
        let (modern, portable) = (
            try ClickHouseDestination.stub(.stub(server: .modern)), try ClickHouseDestination.stub()
        )

        #expect(modern.request(for: Self.batch).url.query()?.hasSuffix(off) == true)
        #expect(portable.request(for: Self.batch).url.query()?.contains("try_infer") == false)
    }

    @Test func `every attempt of a batch is the same request`() throws {
        let destination = try ClickHouseDestination.stub(.stub(server: .modern, idempotencyHeader: "Idempotency-Key"))

        let requests = (1...3).map { attempt in
            destination.request(for: OutgoingBatch(id: .stub(99), attempt: attempt, events: Self.batch.events))
        }

        #expect(Set(requests).count == 1)
    }

    @Test func `a request has at most 1000 rows and 1 MB`() throws {
        let limits = try ClickHouseDestination.stub().limits

        #expect(limits.events == 1_000)
        #expect(limits.bodyBytes == 1_000_000)
        #expect(limits.framingBytes == limits.events)
    }

    @Test func `the event's own parameters override the defaults`() throws {
        let event = OutgoingEvent.stub(
            parameters: ["track": "tr-55", "channel": "own"],
            defaults: ["channel": "app", "storefront": "NL"]
        )

        let row = try ClickHouseDestination.stub().encoded(event).row

        let props = #""props":"{\"track\":\"tr-55\",\"channel\":\"own\",\"storefront\":\"NL\"}"}"#
        #expect(row.hasSuffix(props))
    }

    @Test func `a number that is not finite is left out and counted`() throws {
        let event = OutgoingEvent.stub(parameters: ["nan": .double(.nan), "list": [.double(.infinity)], "ok": -0.0])

        let (row, coercions) = try ClickHouseDestination.stub().encoded(event)

        #expect(row.hasSuffix(#""props":"{\"list\":[null],\"ok\":-0.0}"}"#))
        #expect(coercions == 2)
    }

    @Test(arguments: [(65_535, nil), (65_536, nil), (65_537, "value_too_long")])
    func `a text beyond 64 KiB refuses the event`(length: Int, rule: String?) throws {
        let text = String(repeating: "x", count: length)
        let value = ParameterValue.string(text)
        let destination = try ClickHouseDestination.stub()

        #expect(destination.violatedRule(by: .stub(parameters: ["text": value])) == rule)
        #expect(destination.violatedRule(by: .stub(parameters: ["list": [["text": value]]])) == rule)
        #expect(destination.violatedRule(by: .stub(defaults: ["text": value])) == rule)
        #expect(destination.violatedRule(by: .stub(identity: .stub(userID: text))) == rule)
    }

    @Test func `an event without a name is refused`() throws {
        #expect(try ClickHouseDestination.stub().violatedRule(by: .stub(name: "")) == "name_empty")
    }

    @Test(arguments: [(999, 0), (1_000, 1), (-1, -1), (-1_000, -1)] as [(Int64, Int64)])
    func `times are whole milliseconds, rounded towards the past`(microseconds: Int64, milliseconds: Int64) throws {
        let row = try ClickHouseDestination.stub().encoded(.stub(time: Timestamp(microseconds: microseconds))).row

        #expect(row.contains(#""ts_ms":\#(milliseconds),"#))
    }

    @Test(arguments: [
        (ResponsePolicy.Action.delivered, BatchResult.delivered), (.retry, .retry(after: nil)),
        (.refused, .refused("code 49")), (.suspect, .suspect("code 49")), (.tooLarge, .tooLarge),
        (.paused(.credentials), .paused(.credentials)),
    ])
    func `a response is evaluated with the given table`(action: ResponsePolicy.Action, result: BatchResult) throws {
        var responses = ClickHouseResponses.standard
        responses.codes[49] = action
        let destination = ClickHouseDestination(product: "DL", configuration: try .stub(), responses: responses)
        let response = HTTPResponse(status: 500, body: Array("Code: 49. x".utf8))

        #expect(destination.result(for: response, of: OutgoingBatch(id: .stub(), events: [])) == result)
    }
}
