import LoopbackCollector
import Testing

@testable import EventInspector

@Suite(.timeLimit(.minutes(5))) struct RedactionTests {
    @Test(arguments: [
        ("/mp/collect?firebase_app_id=1&api_secret=s3cret", "/mp/collect?firebase_app_id=1&api_secret=REDACTED"),
        ("/receiver/v1/http/s3cret", "/receiver/v1/http/REDACTED"),
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
}
