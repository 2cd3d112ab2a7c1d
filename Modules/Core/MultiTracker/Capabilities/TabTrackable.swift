/// The capability to record the selection of a tab.
public protocol TabTrackable: Sendable {
    /// Records the selection of a tab.
    ///
    /// - Parameter view: The name of the tab's view.
    func trackTabSelect(view: String)
}
