import OptionParsing

/// The options of the command line.
struct SoakOptions: ProgramOptions {
    /// The duration of the faults in minutes.
    var minutes = 1.0
    /// The random seed.
    ///
    /// The same seed causes the same faults, but not at the same times.
    var seed = UInt64.random(in: 1...999_999)

    /// The number of kills on a full disk, or 0 to cause the other faults.
    var diskKills = 0

    static let program = "soak"
    static let help = """
        usage: Scripts/soak [--minutes N] [--seed S]
               Scripts/soak --full-disk N [--seed S]

        Starts one or two producers on one directory; the second one waits while the first uses it. Their users sign
        in with traits, sign out and reset. Some events are tracked in scopes of other users, and one of these users is
        erased again and again. A middleware renames a parameter, and another one drops some events. The producers hold
        their lanes at random. The soak kills producers at random, stops some for a moment, and makes some suspend
        their storage. It makes the receiver fail at random, and denies consent during uploads while other tasks grant
        it. Then it delivers all events, and compares counts. One lane keeps the order of sessions, which is checked
        for processes that never suspend. The other lane needs no order. At the same time, the vendors' destinations
        deliver to strict stand-ins of their receivers, which reject all that the vendors' documentation rejects.
          --minutes N  the duration of the faults (1 by default; a fraction is allowed)
          --seed S     repeats the faults of an earlier run; the seed is printed at the start
          --full-disk N  instead kills N producers around their consent decisions, on a small disk that is full half of
                       the time; it needs root, which can mount the disk
        The exit code is 0 if every invariant holds.
        """

    init(_ words: [String]) throws(UsageError) {
        var reader = OptionReader(words)
        while let word = try reader.next() {
            switch word {
            case "--minutes": minutes = try reader.number(in: 0.01...1_440)
            case "--full-disk": diskKills = try reader.number(in: 1...Int.max)
            case "--seed": seed = try reader.number(in: 0...UInt64.max)
            default: throw reader.unknown
            }
        }
    }
}
