/// A file of an ended process that could not be taken over at once: it is damaged, or it cannot be read for now.
struct LeftFile {
    /// Reads that fail in a row, after which what cannot be read counts as damaged.
    static let mostFailures = 4

    let path: String
    /// What keeps it from being taken over.
    var cause: OutboxError
    /// How often reading it has failed.
    var failures = 0
    /// When it is tried again.
    var notBefore = MonotonicInstant(nanoseconds: .min)

    /// Whether it has to be salvaged rather than opened.
    var isDamaged: Bool { cause == .corrupt || isUnreadable }

    /// Whether it has been unreadable for so long that what still is counts as damaged.
    var isUnreadable: Bool { failures >= LeftFile.mostFailures }
}
