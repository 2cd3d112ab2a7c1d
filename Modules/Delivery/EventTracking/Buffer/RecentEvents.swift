import CoreTracker

/// The latest events of each lane that have left the buffer.
struct RecentEvents: Sendable {
    /// The minimum number of known events for each lane.
    static let capacity = 64

    private var lanes: [[BufferedEvent.Note]] = []

    /// Records the latest events of a group.
    ///
    /// Older events are removed if there are too many.
    mutating func record(_ group: BufferedGroup) {
        var notes: [[BufferedEvent.Note]] = []
        for chunk in group.chunks {
            for index in chunk.indices {
                while notes.count <= chunk[index].lane { notes.append([]) }
                notes[chunk[index].lane].append(chunk[index].note)
            }
        }
        while lanes.count < notes.count { lanes.append([]) }
        for lane in notes.indices where !notes[lane].isEmpty {
            lanes[lane] += notes[lane].sorted { $0.id < $1.id }.suffix(RecentEvents.capacity)
            let surplus = lanes[lane].count - RecentEvents.capacity
            // Remove several events at once, not one for each new event.
            if surplus > RecentEvents.capacity { lanes[lane].removeFirst(surplus) }
        }
    }

    /// Returns the events of a lane, by its index, oldest first.
    func events(of lane: Int) -> [BufferedEvent.Note] {
        lanes.indices.contains(lane) ? lanes[lane] : []
    }
}

/// The latest events refused by a shard of the buffer, for `explain`.
struct RecentRefusals: Sendable {
    /// The minimum number of known events.
    static let capacity = 64

    private var refusals: [(id: EventID, lane: Int, reason: DropReason)] = []

    /// Records an event.
    ///
    /// Older events are removed if there are too many.
    mutating func record(_ id: EventID, lane: Int, _ reason: DropReason) {
        // Remove several events at once, not one for each new event.
        if refusals.count == 2 * RecentRefusals.capacity { refusals.removeFirst(RecentRefusals.capacity) }
        refusals.append((id, lane, reason))
    }

    /// Returns the lane and the reason of an event, or `nil` if it is not known.
    func refusal(of id: EventID) -> (lane: Int, reason: DropReason)? {
        refusals.last { $0.id == id }.map { ($0.lane, $0.reason) }
    }
}

extension BufferedEvent {
    /// The data of an entry after it has left the buffer.
    struct Note: Sendable {
        /// The maximum size of a name in bytes.
        static let nameBytes = 256

        let id: EventID
        /// The event's name, of which a long one is cut off.
        let name: String
        let time: Timestamp

        /// Returns the kept part of an event's name.
        static func prefix(of name: String) -> String {
            guard name.utf8.count > nameBytes else { return name }
            return String(decoding: name.utf8.prefix(nameBytes), as: UTF8.self)
        }
    }

    /// The data kept after the entry has left the buffer.
    ///
    /// It is inlined to avoid a copy of the entry.
    @inline(__always) var note: Note { Note(id: id, name: Note.prefix(of: name), time: time) }
}
