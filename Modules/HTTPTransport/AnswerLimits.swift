/// How much of an answer is taken in, whichever client reads it.
enum AnswerLimits {
    /// The largest body that is kept, in bytes.
    static let maximumBody = 64 * 1024
    /// The largest head, in bytes: the status line, the fields, and those of a trailer.
    static let maximumHead = 64 * 1024
    /// The most interim answers before the answer.
    static let maximumInterims = 16
}

extension HTTPResponse {
    /// Whether a declared length is one number; one that is none, or two that differ, leave open where the body ends.
    var hasReadableLength: Bool {
        guard let lengths = headers["content-length"]?.split(separator: ",") else { return true }
        let numbers = Set(lengths.map { Int($0.drop { $0 == " " }) })
        return numbers.count == 1 && !numbers.contains(nil)
    }
}
