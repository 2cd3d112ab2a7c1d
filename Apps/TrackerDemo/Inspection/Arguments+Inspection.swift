extension Arguments {
    /// Parses one of the inspector's options.
    mutating func parseInspection(
        _ name: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(DemoError) {
        let next = attached ?? (rest.first?.hasPrefix("-") == false ? rest.popFirst() : nil)
        switch name {
        case "--plan":
            guard let next, !next.isEmpty else { throw .usage("--plan needs a value") }
            inspection.plan = next
        case "--examples":
            inspection.tracksExamples = true
            inspection.examples = next
            guard next.map({ !PlannedExamples.events(named: $0).isEmpty }) ?? true else {
                throw .usage("--examples: no module and no event has the name '\(next ?? "")'")
            }
        default:
            guard let port = next.map(UInt16.init) ?? 0 else { throw .usage("--inspect: a port from 0 to 65535") }
            inspection.port = port
        }
    }

    /// Refuses options that conflict with the inspector.
    func checkInspection() throws(DemoError) {
        if inspection.isOn, isOffline { throw .usage("--inspect excludes --offline, which its faults do") }
        if inspection.hasFault, !inspection.isOn { throw .usage("--faults belongs to --inspect") }
        if inspection.plan != nil, !inspection.isOn { throw .usage("--plan belongs to --inspect") }
        if inspection.tracksExamples, replay != nil || game.isPlayed {
            throw .usage("--examples excludes --replay and --game")
        }
    }
}
