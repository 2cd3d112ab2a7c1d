/// A sensitive value that a test can search for without reading it.
package protocol SensitiveText {
    /// Whether a text contains the value, written as text.
    ///
    /// - Parameter text: The text to search.
    func occurs(in text: String) -> Bool
}
