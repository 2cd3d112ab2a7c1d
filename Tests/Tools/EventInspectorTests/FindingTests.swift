import Foundation
import HTTPTransport
import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct PersonalFindingTests {
    @Test(arguments: [
        ("firebase", #"{"params":{"user_email":"a@b.example","n":1}}"#, ["user_email"]),
        ("firebase", #"{"params":{"items":[{"accessToken":"x"}],"price":1}}"#, ["items[0].accessToken"]),
        // A hash, a removed trait, and words that only contain such a name
        ("firebase", "{\"params\":{\"email\":\"\(String(repeating: "0", count: 64))\"}}", []),
        ("firebase", #"{"params":{"tokens_left":3,"spin":1,"telephone_model":"x"}}"#, []),
    ])
    func `a name that suggests personal data is a finding`(service: String, event: String, paths: [String]) throws {
        var sighting = Sighting(service: service, id: "e", name: "a", time: 0)
        let value = try #require(CollectedValue(Array(event.utf8)))
        sighting.facts = WireFacts(value, in: .object([:]), of: service)

        #expect(sighting.findings.map(\.path) == paths)
        #expect(sighting.findings.allSatisfy { $0.code == "personal_key" && !$0.cure.isEmpty })
    }

    @Test func `a profile update contains personal data on purpose`() throws {
        var sighting = Sighting(service: "firebase", id: "e", name: "$identify", time: 0)
        let value = try #require(CollectedValue(Array(#"{"params":{"email":"a@b.example"}}"#.utf8)))
        sighting.facts = WireFacts(value, in: .object([:]), of: "firebase")

        #expect(sighting.findings.isEmpty)
    }
}

@Suite struct FindingCureTests {
    @Test(arguments: [
        (
            Finding.Source.vendor("GA4"), "VALUE_REQUIRED", "params.transaction_id",
            "Set “transaction_id” in the event's part for this service."
        ),
        (.vendor("GA4"), "NAME_RESERVED", "", "Rename it: the service reserves this name, or its prefix."),
        (.plan, "missing", "items[0].price", "Set “price” in the event. If it is optional,"),
        (.plan, "type", "value", "Send “value” with the planned type."),
        (.plan, "value", "items[0].state", "Send “state” with a value that the plan allows."),
        (.plan, "unplanned_key", "coupon", "Add an example with “coupon” to the event's plan,"),
        (.plan, "not_in_plan", "x", "Add the event to its module's EventCatalog"),
        (.engine, "name_reserved", "", "Rename it: the service reserves this name"),
        (.engine, "name_too_long", "", "Shorten the event's name"),
        (.engine, "value_too_long", "", "Shorten it to the length in the plan's rules."),
        (.engine, "too_many_parameters", "", "Send fewer of them"),
        (.engine, "rule_of_an_app", "", "Change the event as the service's rules"),
        (.receiver, "unreadable_body", "", "Check the endpoint"),
    ])
    func `each finding recommends a change`(source: Finding.Source, code: String, path: String, cure: String) {
        let finding = Finding(severity: .error, source: source, code: code, path: path, text: "")

        #expect(finding.cure.hasPrefix(cure))
    }

    @Test func `each code of a receiver's rules has a separate recommendation`() {
        let cures = ValidationMessage.Code.allCases.map { code in
            Finding(severity: .error, source: .vendor("Braze"), code: code.rawValue, path: "params.x", text: "").cure
        }

        #expect(Set(cures).count == cures.count && !cures.contains("Change the event as this message describes."))
    }
}

@Suite struct ReceiverFindingsTests {
    @Test func `a finding belongs to the event that its path names, with the path in it`() throws {
        let events = #"[{"name":"a"},{"name":"purchase","params":{"value":1.5,"currency":"EUR"}}]"#
        let body = #"{"app_instance_id":"\#(String(repeating: "a", count: 32))","events":\#(events)}"#

        let findings = try findings(body, "/mp/collect?firebase_app_id=1:1:ios:1&api_secret=x", of: .firebase)

        #expect(findings[0].isEmpty)
        #expect(findings[1].contains { $0.code == "VALUE_REQUIRED" && $0.path == "params.transaction_id" })
        #expect(findings[1].allSatisfy { $0.source == .vendor("GA4") })
    }

    @Test func `a fault of the request is a finding of each of its events`() throws {
        let body = #"{"events":[{"name":"a"},{"name":"b"}]}"#

        let findings = try findings(body, "/mp/collect?firebase_app_id=1:1:ios:1&api_secret=x", of: .firebase)

        #expect(findings.map { $0.map(\.path) } == [["app_instance_id"], ["app_instance_id"]])
    }

    @Test(arguments: [
        (CollectorService.braze, "/users/track", #"{"events":[{"external_id":"u","name":"a"},{}]}"#, "Braze"),
        (.adobe, "/ee/v2/collect?datastreamId=d", #"{"events":[{"xdm":{}},{}]}"#, "Adobe"),
        (.sumo, "/receiver/v1/http/token", "{}\n[]", "Sumo Logic"),
        (
            .googleAnalytics, "/mp/collect?measurement_id=G-1&api_secret=x",
            #"{"client_id":"c","events":[{"name":"a"},{"name":"query_id"}]}"#, "GA4"
        ),
    ])
    func `each vendor's rules are checked`(
        service: CollectorService,
        target: String,
        body: String,
        source: String
    ) throws {
        let findings = try findings(body, target, of: service)

        #expect(findings[1].contains { $0.source == .vendor(source) })
    }

    private func findings(_ body: String, _ target: String, of service: CollectorService) throws -> [[Finding]] {
        let request = HTTPRequest(
            url: try #require(URL(string: "http://127.0.0.1\(target)")),
            headers: [try HTTPHeader("Content-Type", "application/json")],
            body: Array(body.utf8)
        )
        let head = try #require(CollectedHead(request))
        return ReceiverFindings.findings(on: head, body: request.body, at: nil, of: service, events: 2)
    }
}

@Suite struct PlanFindingsTests {
    private static let schema = value(
        #"""
        {"type":"object","required":["id","items"],"properties":{"id":{"type":"string"},"paid":{"type":"boolean"},
        "sum":{"type":["number","null"]},"state":{"type":"string","enum":["new","used"]},
        "states":{"type":"array","items":{"type":"string","enum":["new"]}},"items":{"type":"array","items":{"type":"object","required":["price"],
        "properties":{"price":{"type":"number"}}}}}}
        """#
    )

    private static func value(_ text: String) -> CollectedValue { CollectedValue(Array(text.utf8)) ?? .null }

    private func codes(_ text: String, own: Set<String> = ["id", "items", "else", "paid"]) -> [String] {
        PlanFindings.findings(in: Self.value(text), schema: Self.schema, ownKeys: own).map { "\($0.code) \($0.path)" }
    }

    @Test(arguments: [
        (#"{"id":"1","items":[]}"#, []),
        (#"{"id":"1","items":[{"price":1}],"sum":2.5,"paid":true}"#, []),
        (#"{"id":"1","items":[],"sum":null}"#, []),
        (#"{"id":"1","items":[],"state":"used","states":["new"]}"#, []),
        (#"{"id":"1","items":[],"state":"old","states":["new","used"]}"#, ["value state", "value states[1]"]),
        (#"{"id":"1","items":[],"state":1}"#, ["type state"]),
        (#"{"items":[]}"#, ["missing id"]),
        (#"{"id":1,"items":[{"price":"1"},{}]}"#, ["type id", "type items[0].price", "missing items[1].price"]),
        (#"{"id":"1","items":[],"else":1}"#, ["unplanned_key else"]),
        (#"{"id":"1","items":[{"price":1,"else":1}],"paid":7}"#, ["unplanned_key items[0].else", "type paid"]),
        (#"[]"#, ["type "]),
    ]) func `an event's parameters are compared with the schema`(parameters: String, found: [String]) {
        #expect(codes(parameters) == found)
    }

    @Test func `a default may be missing in the plan, and may satisfy a required key`() {
        #expect(codes(#"{"id":"1","items":[],"channel":"a","paid":1}"#, own: ["items"]).isEmpty)
        #expect(codes(#"{"items":[],"else":{}}"#, own: []) == ["missing id"])
    }
}
