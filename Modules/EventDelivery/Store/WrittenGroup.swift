/// A group with what its writer makes of it.
struct WrittenGroup: Sendable {
    let group: IntakeGroup
    var writer: GroupWriter

    /// Lets the writer write the group.
    mutating func write(encoder: inout EventEncoder) {
        writer.write(group, encoder: &encoder)
    }
}
