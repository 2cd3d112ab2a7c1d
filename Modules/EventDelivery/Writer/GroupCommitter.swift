/// Turns groups of tracked events into changes of the outbox, within the budget.
struct GroupCommitter {
    private let budget: DeliveryBudget
    private let disclosure: Disclosure
    private var encoder = EventEncoder()
    private var evictor = Evictor()
    /// Encodes a group while the one before is committed.
    let ahead: GroupEncoding

    init(budget: DeliveryBudget, salt: Secret?, runtime: EngineRuntime) {
        self.budget = budget
        disclosure = Disclosure(salt: salt)
        ahead = GroupEncoding(isInline: !runtime.encodesAhead)
    }

    /// Writes a group against lanes as they are.
    mutating func write(
        _ group: IntakeGroup,
        lanes: [LaneQueue],
        at moment: StoredMoment,
        deviceID: String,
        outbox: any Outbox
    ) -> WrittenGroup {
        var written = prepare(group, lanes: lanes, at: moment, deviceID: deviceID)
        written.write(encoder: &encoder)
        makeRoom(in: &written, outbox: outbox)
        return written
    }

    /// A group that is still to be written, against lanes as they will be.
    func prepare(
        _ group: IntakeGroup,
        lanes: [LaneQueue],
        at moment: StoredMoment,
        deviceID: String
    ) -> WrittenGroup {
        let writer = GroupWriter(
            lanes: lanes,
            moment: moment,
            deviceID: deviceID,
            heldBudget: budget.heldEvents,
            disclosure: disclosure
        )
        return WrittenGroup(group: group, writer: writer)
    }

    /// Evicts until a group's change fits the budget.
    mutating func makeRoom(in written: inout WrittenGroup, outbox: any Outbox) {
        evictor.makeRoom(in: &written.writer, budget: budget, outbox: outbox)
    }
}
