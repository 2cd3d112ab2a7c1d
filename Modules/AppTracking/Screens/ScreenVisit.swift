/// One coming up of a screen, which is tracked once, while its scene is active.
///
/// SwiftUI reports that a view appears more often than a user sees it: again and again in lists and tabs, and in an app
/// that the system starts in the background.
struct ScreenVisit: Sendable {
    private var isTracked = false

    /// Takes that the screen is up in a scene; returns whether it is to be tracked now.
    mutating func appeared(isActive: Bool) -> Bool {
        guard isActive, !isTracked else { return false }
        isTracked = true
        return true
    }

    /// Takes that the screen has gone; the next time that it is up counts again.
    mutating func disappeared() {
        isTracked = false
    }
}
