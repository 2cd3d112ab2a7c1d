/// The capability to record the selection of a tab.
public protocol TabTrackable: Sendable {
    /// Records that the tab of a view was selected.
    func trackTabSelect(view: String)
}
