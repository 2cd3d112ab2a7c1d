/// An appearance of a screen, which is tracked once and only while its scene is active.
///
/// SwiftUI calls `onAppear` more often than a user sees the view: repeatedly in lists and tabs, and in an app that the
/// system starts in the background.
struct ScreenVisit: Sendable {
    private var isTracked = false

    /// Records that the screen is visible.
    ///
    /// Returns whether to track it now.
    mutating func appeared(isActive: Bool) -> Bool {
        guard isActive, !isTracked else { return false }
        isTracked = true
        return true
    }

    /// Records that the screen has disappeared.
    ///
    /// Its next appearance counts again.
    mutating func disappeared() {
        isTracked = false
    }
}
