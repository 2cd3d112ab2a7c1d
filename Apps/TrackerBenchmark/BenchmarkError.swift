/// The reason for which a figure could not be measured or does not count.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    /// Creates an error with its text.
    init(_ description: String) {
        self.description = description
    }
}
