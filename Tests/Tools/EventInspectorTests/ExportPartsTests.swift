import LoopbackCollector
import Testing

@testable import EventInspector

@Suite(.timeLimit(.minutes(5))) struct ExportPartsTests {
    @Test func `each delivery is a line of JSON with its body`() throws {
        let inspected = try Inspected()
        let rows = (1...450).map { Inspected.row("n\($0)", id: "e\($0)") }

        try inspected.post("/", rows.joined(separator: "\n"))
        let lines = try inspected.get("/inspector/export.ndjson").body.split(separator: "\n")

        let values = lines.compactMap { CollectedValue(Array($0.utf8)) }
        #expect(values.count == 450)
        #expect(values.map { $0["body"]?["name"]?.string } == (1...450).map { "n\($0)" })
        #expect(values.last?["state"] == "delivered")
    }

    @Test func `an archive holds each request once, and is JSON even if it is empty`() throws {
        let inspected = try Inspected()

        let empty = try inspected.get("/inspector/export.har").json
        try inspected.post("/", [Inspected.row("a", id: "e1"), Inspected.row("b", id: "e2")].joined(separator: "\n"))
        try inspected.post("/", Inspected.row("c", id: "e3"))
        let entries = try inspected.get("/inspector/export.har").json?["log"]?["entries"]?.elements

        #expect(empty?["log"]?["entries"]?.elements.isEmpty == true)
        #expect(entries?.count == 2)
        #expect(entries?.first?["response"]?["status"] == 200)
    }
}

@Suite(.timeLimit(.minutes(5))) struct RedactionTests {
    @Test(arguments: [
        ("/mp/collect?firebase_app_id=1&api_secret=s3cret", "/mp/collect?firebase_app_id=1&api_secret=REDACTED"),
        ("/?api_secret=\u{301}s3cret&a=\u{301}b", "/?api_secret=REDACTED&a=\u{301}b"),
        ("/?\u{301}a=1&\u{301}token=s3cret", "/?\u{301}a=1&\u{301}token=REDACTED"),
        ("/receiver/v1/http/s3cret", "/receiver/v1/http/REDACTED"),
        ("/receiver/v1/http/\u{301}s3cret", "/receiver/v1/http/REDACTED"),
        ("/?query=INSERT", "/?query=INSERT"), ("/", "/"),
    ]) func `a target is exported without its secrets`(target: String, redacted: String) {
        #expect(Redaction.target(target) == redacted)
    }

    @Test func `commands and archives contain no credentials, and quoted texts stay one argument`() throws {
        let inspected = try Inspected()
        let headers = ["X-ClickHouse-Key": "s3cret", "Authorization": "Basic s3cret", "X-A": "it's"]

        try inspected.post("/?password=s3cret", Inspected.row("a'b", id: "e1"), headers: headers)
        let curl = try inspected.detail(1)?["services"]?[0]?["curl"]?.string ?? ""
        let archive = try inspected.get("/inspector/export.har").body

        #expect(!curl.contains("s3cret") && !archive.contains("s3cret"))
        #expect(curl.contains(#"-H 'x-a: it'\''s'"#))
        #expect(curl.contains(#"a'\''b"#))
    }

    @Test func `a combining mark hides no quote from the shell, and no line break from the lines`() throws {
        let inspected = try Inspected()
        let row = Inspected.row("a'\u{301}; rm", id: "e1")

        try inspected.post("/", row)
        let event = "{\"name\":\"a\",\r\n\"params\":{}}"
        try inspected.post("/mp/collect?measurement_id=G-1&api_secret=s", #"{"client_id":"1.1","events":[\#(event)]}"#)
        let curl = try inspected.detail(1)?["services"]?[0]?["curl"]?.string ?? ""
        let lines = try inspected.get("/inspector/export.ndjson").body.split(separator: "\n")

        #expect(curl.unicodeScalars.contains(#"a'\''"#.unicodeScalars + ["\u{301}"]))
        #expect(lines.count == 2 && !lines.contains { $0.unicodeScalars.contains("\r") })
    }
}
