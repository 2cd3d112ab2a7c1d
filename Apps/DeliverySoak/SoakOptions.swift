import Foundation

/// What the command line of the soak says.
struct SoakOptions {
    /// How long faults are made.
    var minutes = 1.0
    /// Where the randomness starts; the same seed makes the same faults, though not at the same instants.
    var seed = UInt64.random(in: 1...999_999)

    static let usage = """
        usage: Scripts/soak [--minutes N] [--seed S]

        Starts producers on one queue, whose users sign in, sign out and reset. It kills producers at random, lets some
        release their files while others use the directory, lets the receiver fail at random, and denies consent
        during uploads while other tasks grant it. Then it waits until the queue is empty, and counts. One lane needs
        the order of sessions, which is checked for processes that keep their files; the other lane does not.
          --minutes N  how long faults are made (1 by default; a fraction is allowed)
          --seed S     repeats the faults of an earlier run; the seed is printed at the start
        Ends with 0 if every invariant holds.

        """

    /// Reads the arguments after the program's name; `nil` when they make no sense.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch name {
            case "--minutes":
                guard let minutes = Double(value), minutes > 0, minutes <= 1_440 else { return nil }
                self.minutes = minutes
            case "--seed":
                guard let seed = UInt64(value) else { return nil }
                self.seed = seed
            default: return nil
            }
        }
    }
}
