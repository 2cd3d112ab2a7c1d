import Foundation
import LoopbackCollector
import Testing

@testable import TrackerDemo

@Suite(.timeLimit(.minutes(5))) struct DemoTests {
    @Test func `the journey delivers everything and shows both products side by side`() async throws {
        let run = try await DemoRun([])

        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors == "")
        #expect(run.output.contains("dolap_lite") && run.output.contains("trendyol"))
        #expect(run.output.contains("different events at the collector: firebase 18, awesomeTracking 19"))
        let shared =
            "Firebase view_item, AwesomeTracking product_viewed of channel \"dolap_lite\", "
            + "Firebase view_item, AwesomeTracking pdp_view of channel \"trendyol\""
        #expect(run.output.contains("one service shared by both products received: \(shared)"))
        #expect(run.output.contains("leaderboard by score: 1. AnotherGuyProgrammer 1090, 2. ThornSkillex45 980, "))
        #expect(run.output.contains("leaderboard by nickname: 1. AnotherGuyProgrammer 1090, 2. CoolMan 540, "))
        #expect(!run.output.contains("\u{1B}") && !run.output.contains("\r"))
    }

    @Test func `a disabled vendor gets no playback events, and the others get those that they support`()
        async throws
    {
        let run = try await DemoRun(["--json"])
        let switched = try await DemoRun(["--disable", "braze", "--enable=sumo"])

        let summary = try run.summary
        #expect(run.code == 0, "\(run.errors)")
        #expect(summary.total(\.delivered, of: "adobe") == 16 && summary.collector?["adobe"] == 16)
        #expect(summary.total(\.delivered, of: "braze") == 13 && summary.collector?["braze"] == 13)
        #expect(summary.total(\.accepted, of: "sumo") == 0 && summary.collector?["sumo"] == 0)
        #expect(switched.code == 0, "\(switched.errors)")
        #expect(switched.words.contains("braze disabled 1 0"))
        #expect(switched.words.contains("sumo enabled 13 13"))
        #expect(switched.words.contains("adobe enabled"))
    }

    @Test func `the examples of an event are printed as JSON, as they arrived at each service`() async throws {
        let run = try await DemoRun(["--examples", "DLProductLiked", "--json"])

        let lines = run.output.split(separator: "\n").dropLast().map { String($0) }
        let services = try lines.map { line in
            let found = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect((found?["body"] as? [String: Any])?["name"] != nil)
            return try #require(found?["service"] as? String)
        }
        #expect(run.code == 0 && Set(services) == ["awesomeTracking", "braze", "firebase"], "\(run.output)")
        #expect(try run.summary.collector?["awesomeTracking"] == services.count { $0 == "awesomeTracking" })
    }

    @Test func `a vendor disabled in the middle misses events until it is enabled again`() async throws {
        let run = try await DemoRun([])

        let play = "plays dresses-of-the-week"
        let story = "\(play) → [adobe: disabled] → pause → \(play) → [adobe: tracked]"
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains(story))
        #expect(run.words.contains("adobe enabled 16 16"))
        #expect(run.output.contains("calls that disabled vendors did not receive: 15"))
    }

    @Test func `Firebase's events go to its SDK if the engine is opened with it, and nothing else changes`()
        async throws
    {
        let run = try await DemoRun(["--firebase-sdk"])

        let passed = "add_payment_info 1, add_shipping_info 1, add_to_cart 2"
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("passed to Firebase's SDK: \(passed)"))
        #expect(run.output.contains("DL       firebase               9          9        0            0  0        0"))
        #expect(run.output.contains("different events at the collector: awesomeTracking 19"))
    }

    @Test(arguments: [
        ([], "listOpened, productOpened, checkoutOpened, paymentChosen, orderPlaced"),
        (
            ["--step-names", "snake-case"],
            "list_opened, product_opened, checkout_opened, payment_chosen, order_placed"
        ),
    ])
    func `Google Analytics gets the steps of the journey, spelled as the app chooses`(
        _ arguments: [String],
        _ names: String
    ) async throws {
        let run = try await DemoRun(arguments)

        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("steps that Google Analytics received: \(names)"))
    }

    @Test func `a replay delivers one event for each service and row`() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let file = try folder.write(Clickstream.text(rows: 100), to: "clicks.csv")

        let run = try await DemoRun(["--replay", file, "--json"])

        let summary = try run.summary
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.split(separator: "\n").count == 1)
        #expect(summary.rows == 100 && summary.malformed == 0)
        #expect(summary.eventTypes == ["view": 70, "cart": 10, "remove_from_cart": 10, "purchase": 10])
        #expect(summary.lanes.count == 4)
        #expect(summary.lanes.allSatisfy { $0.accepted > 0 && $0.delivered == $0.accepted && $0.dropped.isEmpty })
        #expect(summary.collector == ["firebase": 100, "awesomeTracking": 100])
        #expect(summary.total { $0.repaired["timestamp_clamped"] ?? 0 } == 100)
    }

    @Test func `a replay by OTLP delivers the same events`() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let file = try folder.write(Clickstream.text(rows: 100), to: "clicks.csv")

        let run = try await DemoRun(["--replay", file, "--json", "--awesome-format", "otlp"])

        let summary = try run.summary
        #expect(run.code == 0, "\(run.errors)")
        #expect(summary.collector == ["firebase": 100, "awesomeTracking": 100])
    }

    @Test func `events of an offline run are delivered once by the next run`() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let file = try folder.write(Clickstream.text(rows: 60), to: "clicks.csv")
        let arguments = ["--replay", file, "--json", "--queue", folder.path("queue")]

        let offline = try await DemoRun(arguments + ["--offline"])
        let online = try await DemoRun(arguments)

        let (before, after) = (try offline.summary, try online.summary)
        #expect(offline.code == 2)
        #expect(before.total(\.pending) == 120 && before.total(\.delivered) == 0 && before.collector == nil)
        #expect(offline.errors.contains("not delivered:") && offline.errors.contains("refused the connection"))
        #expect(online.code == 0, "\(online.errors)")
        #expect(
            after.total(\.forReplacement) == 120 && after.total(\.accepted) == 120 && after.total(\.delivered) == 240
        )
        #expect(after.collector == ["firebase": 120, "awesomeTracking": 120])
    }

    @Test func `malformed rows are counted, and the first five named`() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let broken = (0..<7).map { "broken \($0)\n" }.joined()
        let file = try folder.write(Clickstream.text(rows: 10) + broken, to: "clicks.csv")

        let run = try await DemoRun(["--replay", file, "--json"])

        let summary = try run.summary
        #expect(run.code == 0)
        #expect(summary.rows == 17 && summary.malformed == 7)
        #expect(run.errors.split(separator: "\n").count { $0.hasSuffix("is skipped: 9 fields expected, 1 found") } == 5)
        #expect(run.errors.contains("line 12 is skipped") && run.errors.contains("line 16 is skipped"))
    }

    @Test func `the queue of an app is refused, and not changed`() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let queue = try folder.write("an app's", to: "queue-1.db")

        let run = try await DemoRun(["--queue", folder.path("")])

        #expect(run.code == 73 && run.output == "")
        #expect(run.errors.contains("is not the demo's; inspect it with Scripts/queue"))
        #expect(try String(contentsOfFile: queue, encoding: .utf8) == "an app's")
    }

    @Test func `a refused event is listed with its response, and stays in the queue`() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let answer = CollectorResponse(400, text: "Code: 27. Cannot parse input: (at row 1)")
        let collector = try LoopbackCollector(script: .accept.when({ $0.contains("pdp_view") }, .respond(answer)))
        let queue = ["--queue", folder.path("queue")]

        let refused = try await DemoRun(queue + ["--awesome-endpoint", "\(collector.url)"])
        let later = try await DemoRun(queue + ["--json"])

        #expect(refused.code == 2)
        #expect(refused.errors.contains("TY/awesomeTracking: 1 quarantined"))
        #expect(refused.errors.contains("code 27; response: Code: 27. Cannot parse input: (at row 1)"))
        #expect(later.code == 2 && later.errors.contains("TY/awesomeTracking: 1 quarantined"))
        #expect(try later.summary.lanes.allSatisfy { $0.delivered == $0.accepted })
    }

    @Test func `user and password are sent to the endpoint as headers, and are never printed`() async throws {
        let collector = try LoopbackCollector()

        let run = try await DemoRun(
            ["--awesome-endpoint", "\(collector.url)", "--awesome-user", "tracker"],
            environment: ["AWESOME_PASSWORD": "p4ssw0rd"]
        )

        let headers = collector.requests.map(\.head.headers)
        #expect(run.code == 0, "\(run.errors)")
        #expect(!headers.isEmpty)
        #expect(headers.allSatisfy { $0["x-clickhouse-user"] == "tracker" && $0["x-clickhouse-key"] == "p4ssw0rd" })
        #expect(!(run.output + run.errors).contains("p4ssw0rd"))
    }

    @Test(arguments: [["--awesome-server", "modern"], ["--awesome-format", "otlp"]])
    func `a token is sent to the endpoint as a header, and is never printed`(kind: [String]) async throws {
        let collector = try LoopbackCollector()

        let run = try await DemoRun(
            ["--awesome-endpoint", "\(collector.url)"] + kind,
            environment: ["AWESOME_TOKEN": "t0ken"]
        )

        let heads = collector.requests.map(\.head)
        #expect(run.code == 0, "\(run.errors)")
        #expect(!heads.isEmpty)
        #expect(heads.allSatisfy { $0.headers["authorization"] == "Bearer t0ken" })
        #expect(heads.allSatisfy { $0.target.contains("insert_deduplication_token=") == kind.contains("modern") })
        #expect(!(run.output + run.errors).contains("t0ken"))
    }

    @Test func `an endpoint without a response affects only its service`() async throws {
        // The port of a closed collector could be used by another process.
        let collector = try LoopbackCollector(script: .accept.opening { .reset })
        defer { collector.close() }

        let run = try await DemoRun(["--awesome-endpoint", "\(collector.url)", "--json"])

        let summary = try run.summary
        #expect(run.code == 2)
        #expect(summary.total(\.pending, of: "awesomeTracking") == 19 && summary.total(\.pending, of: "firebase") == 0)
        #expect(summary.collector?["firebase"] == 18 && summary.collector?["awesomeTracking"] == nil)
        #expect(run.errors.contains("the remaining events are in "))
        try? FileManager.default.removeItem(atPath: run.keptQueue)
    }

    @Test(arguments: [
        (["--replay", "/nowhere/at/all.csv"], 66, "no such file: /nowhere/at/all.csv"),
        (["--frobnicate"], 64, "unknown option --frobnicate"),
        (["--awesome-endpoint", "not a url"], 64, "--awesome-endpoint: not an absolute http(s) URL with a host"),
        (["--enable", "mixpanel"], 64, "--enable: there is no vendor 'mixpanel'; there are adobe, braze, "),
        (["--inspect", "--plan", "/nowhere"], 66, "--plan: /nowhere has no tracking plan (*.schema.json)"),
        (["--queue", "/dev/null"], 73, "the queue cannot be created at /dev/null"),
    ]) func `invalid input has a one-line error`(_ arguments: [String], _ code: Int32, _ message: String) async throws {
        let run = try await DemoRun(arguments)

        #expect(run.code == code)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("TrackerDemo: \(message)"))
        #expect(run.errors.split(separator: "\n").count == 1)
    }
}

@Suite struct TextTableTests {
    @Test func `columns are as wide as their widest cell and lines end without blanks`() {
        var table = TextTable([("name", .left), ("count", .right), ("note", .left)])

        table.add(["ä", "7", "first of all"])
        table.add(["longer", "1000"])

        let expected = """
            name    count  note
            ──────  ─────  ────────────
            ä           7  first of all
            longer   1000
            """
        #expect(table.text == expected)
    }
}
