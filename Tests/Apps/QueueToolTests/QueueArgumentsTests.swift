import CoreTracker
import EventDelivery
import OptionParsing
import Testing

@testable import QueueTool

@Suite struct QueueArgumentsTests {
    private static let id = "018f3a1e-7c2b-7abc-8def-0123456789ab"
    private static let lane = LaneID(product: "DL", service: "firebase")

    static let verbs: [([String], QueueArguments.Verb)] = [
        (["q"], .list), (["q", "why"], .why(nil)), (["q", "why", "DL/firebase"], .why(lane)),
        (["q", "tail", "--lane", "DL/firebase", "-n", "3"], .tail(lane)), (["q", "verify", "--json"], .verify),
        (["q", "quarantine"], .quarantine(.list, QueueArguments.Choice())),
        (["q", "quarantine", "retry", "--all"], .quarantine(.retry, QueueArguments.Choice(isAll: true))),
        (
            ["q", "quarantine", "discard", "--reason", "code 27"],
            .quarantine(.discard, QueueArguments.Choice(reason: "code 27"))
        ),
        (
            ["q", "export", "--state=awaiting-consent", "DL/firebase"],
            .export(QueueArguments.Choice(lane: lane, state: .awaitingConsent))
        ),
        (["q", "purge", "DL/firebase", "--yes=DL/firebase"], .purge(lane)),
    ]

    @Test(arguments: verbs) func `verbs are parsed with their arguments`(words: [String], verb: QueueArguments.Verb)
        throws
    {
        #expect(try QueueArguments(words).verb == verb)
    }

    @Test func `an event's id is read in upper and lower case`() throws {
        let id = try #require(EventID(QueueArgumentsTests.id))

        #expect(try QueueArguments(["q", "explain", QueueArgumentsTests.id.uppercased()]).verb == .explain(id))
    }

    @Test(arguments: [
        ([], "the queue's directory is missing"), (["q", "look"], "unknown verb 'look'"),
        (["q", "list", "more"], "unexpected argument"),
        (["q", "explain"], "explain needs the id of an event"), (["q", "explain", "x"], "'x' is not an event's id"),
        (["q", "why", "firebase"], "'firebase' is not a lane"), (["q", "tail", "-n", "0"], "-n: a number from 1"),
        (["q", "quarantine", "keep"], "'keep' is not an event's id"),
        (["q", "quarantine", "retry"], "quarantine retry needs events"),
        (["q", "quarantine", "retry", "--all", "--yes=DL/firebase"], "--yes=LANE is for purge only"),
        (["q", "purge", "DL/firebase", "--yes"], "to confirm the purge, use --yes=DL/firebase"),
        (["q", "purge", "DL/firebase", "--yes=TY/firebase"], "to confirm the purge, use --yes=DL/firebase"),
        (["q", "export", "--state", "lost"], "--state: queued or awaiting-consent or quarantined, not 'lost'"),
        (["q", "list", "--yes"], "list does not use --yes; see --help"),
        (["q", "--lane", "X/y"], "list does not use --lane"),
        (["q", "list", "--state", "queued"], "list does not use"),
        (["q", "list", "-n", "5", "-f"], "list does not use -n"), (["q", "why", "--body"], "why does not use --body"),
        (["q", "verify", "--lane", "X/y"], "verify does not use --lane"),
        (["q", "tail", "--reason", "400"], "tail does not use --reason"),
        (["q", "explain", id, "--follow"], "explain does not use --follow"),
        (["q", "export", "--reason", "400"], "export does not use --reason"),
        (["q", "quarantine", "--state", "queued"], "quarantine list does not use --state"),
        (["q", "quarantine", "retry", "--all", "--body"], "quarantine retry does not use --body"),
        (["q", "purge", "DL/firebase", "--all"], "purge does not use --all"),
        (["q", "--json=1"], "--json takes no value"),
        (["q", "--a\nb"], "unknown option --a\\n"),
    ]) func `invalid arguments are refused with one line`(words: [String], start: String) {
        let error = #expect(throws: UsageError.self) { try QueueArguments(words) }

        #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("\n") == false)
    }

    @Test func `the help names every verb, option and exit code`() {
        let words = [
            "list", "why", "tail", "explain", "quarantine", "retry", "discard", "export", "verify", "purge", "--lane",
            "--reason", "--all", "--yes", "--json", "--body", "--state", "-n", "-f", "--help",
        ]
        let codes: [QueueExitCode] = [.success, .found, .noQueue, .failed, .inUse, .notPermitted]

        #expect(words.allSatisfy { QueueArguments.help.contains($0) })
        #expect(codes.allSatisfy { QueueArguments.help.contains(" \($0.rawValue)  ") })
    }
}
