import CoreTracker
import EventDeliveryAPI
import EventDeliveryTesting
import Testing

@testable import EventDelivery
@testable import EventOutbox

struct DecisionReconcilerTests {
    @Test(arguments: [Consent.granted, .unknown])
    func `a purpose without a row gets the app's default`(consent: Consent) {
        let reconciled = reconcile(rows(), defaultConsent: consent, lanes: ["marketing", ""])

        let expected = ["analytics", "marketing"].map { DecisionRow(purpose: $0, consent: consent, isDefault: true) }
        #expect(reconciled.rows.decisions == expected)
        #expect(reconciled.rows.state.decisions == 2)
        #expect(reconciled.rows.number == 7)
        #expect(reconciled.denials.isEmpty)
        #expect(reconciled.lost.isEmpty)
    }

    @Test func `a denial in the configuration is a call after all stored ones`() {
        let reconciled = reconcile(rows(), consent: [.analytics: .denied])

        #expect(reconciled.denials == [.analytics])
        #expect(reconciled.rows.number == 8)
        #expect(reconciled.rows.decisions.map(\.consent) == [.unknown])
    }

    @Test(
        arguments: [
            (DecisionRow(purpose: "analytics", consent: .granted, number: 3), [:], []),
            (DecisionRow(purpose: "analytics", consent: .granted, number: 3), [.analytics: .denied], [.analytics]),
            (DecisionRow(purpose: "analytics", consent: .granted, isDefault: true), [:], [.analytics]),
            (DecisionRow(purpose: "analytics", consent: .denied, number: 3, denial: 3), [.analytics: .denied], []),
        ] as [(DecisionRow, [ConsentPurpose: Consent], [ConsentPurpose])]
    )
    func `only an explicit denial replaces the user's grant`(
        row: DecisionRow,
        consent: [ConsentPurpose: Consent],
        denials: [ConsentPurpose]
    ) {
        #expect(reconcile(rows([row]), consent: consent, defaultConsent: .denied).denials == denials)
    }

    @Test(
        arguments: [
            (LineDestination(), .unknown, "marketing", [ConsentPurpose("marketing")]),
            (LineDestination(), .granted, "marketing", []), (LineDestination(), .unknown, "analytics", []),
            (nil, .unknown, "marketing", []),
        ] as [(LineDestination?, Consent, String, [ConsentPurpose])]
    )
    func `an undecided purpose of stored events is denied if their destination has another one`(
        destination: LineDestination?,
        defaultConsent: Consent,
        stored: String,
        denials: [ConsentPurpose]
    ) {
        let reconciled = reconcile(
            rows(),
            defaultConsent: defaultConsent,
            lanes: [stored],
            destination: destination
        )

        #expect(reconciled.denials == denials)
    }

    @Test func `a denial in the configuration is not repeated after it was stored`() {
        let reconciled = reconcile(rows(), consent: [.analytics: .denied], isConfigurationStored: true)

        #expect(reconciled.denials.isEmpty)
        #expect(reconciled.rows.number == 7)
    }

    @Test(arguments: [(scrub: UInt64(0), denial: UInt64(0)), (scrub: 5, denial: 8)])
    func `a purpose whose row is damaged is unknown, and denied if a deletion was pending`(
        scrub: UInt64,
        denial: UInt64
    ) {
        var damaged = rows()
        damaged.state.decisions = 1
        damaged.state.scrub = scrub

        let reconciled = reconcile(damaged)

        #expect(
            reconciled.lost == [DecisionRow(purpose: "analytics", consent: .unknown, number: 8, denial: denial)]
        )
        #expect(reconciled.rows.decisions == reconciled.lost)
        #expect(reconciled.rows.state.scrub == denial)
        #expect(!reconciled.rows.lacksDecisions)
    }

    @Test func `an erasure whose row is damaged covers all users`() {
        var damaged = rows()
        damaged.state.erasures = 1
        damaged.state.scrub = 5

        #expect(reconcile(damaged).lostErasure == 5)
        #expect(reconcile(rows()).lostErasure == nil)
    }

    @Test func `only purposes with an unseen denial overrule this process`() {
        let stored = rows([
            DecisionRow(purpose: "analytics", consent: .granted, number: 6, denial: 5),
            DecisionRow(purpose: "marketing", consent: .denied, number: 4, denial: 4),
        ])

        #expect(reconcile(stored).decisions(deniedAfter: 4) == [.analytics: .granted])
    }

    /// Returns the rows of a sound outbox whose greatest decision number is 7.
    private func rows(_ decisions: [DecisionRow] = []) -> PrivacyRows {
        var rows = PrivacyRows()
        (rows.decisions, rows.state.decisions, rows.state.number) = (decisions, decisions.count, 7)
        return rows
    }

    private func reconcile(
        _ rows: PrivacyRows,
        consent: [ConsentPurpose: Consent] = [:],
        defaultConsent: Consent = .granted,
        lanes purposes: [String] = [],
        destination: (any Destination)? = nil,
        isConfigurationStored: Bool = false
    ) -> DecisionReconciler {
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [LineDestination()],
            defaultConsent: defaultConsent
        )
        configuration.consent = consent
        let lanes = purposes.map { purpose in
            var row = StoredLane(number: 1, id: LineDestination().lane)
            (row.purpose, row.ledger.accepted, row.counts.events) = (purpose, 1, [1, 0, 0])
            return LaneQueue(stored: row, destination: destination)
        }
        return DecisionReconciler(
            rows,
            configuration: configuration,
            lanes: lanes,
            isConfigurationStored: isConfigurationStored
        )
    }
}
