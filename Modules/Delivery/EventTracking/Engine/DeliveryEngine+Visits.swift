/// The life cycle of the app, which the module for apps reports.
extension DeliveryEngine {
    /// Records that the app reports its life cycle, so there is no session before the first visit.
    package func awaitVisit() { buffer.identity.awaitVisit() }

    /// Records that the app is in the foreground, but not yet active.
    package func enterForeground() {
        buffer.identity.enterForeground(at: buffer.clock.monotonicTime(), time: buffer.now, ids: buffer.ids)
    }

    /// Records that the app is active, which begins a visit.
    package func beginVisit() {
        buffer.identity.beginVisit(at: buffer.clock.monotonicTime(), time: buffer.now, ids: buffer.ids)
    }

    /// Records that the app is in the background, which ends the visit.
    package func enterBackground() { buffer.identity.enterBackground(at: buffer.clock.monotonicTime()) }

    /// The time in which the app was active in this process.
    package var activeTime: Duration {
        let now = buffer.clock.monotonicTime()
        return buffer.identity.withVisits { $0.activeTime(at: now) }
    }

    /// Whether the app is active.
    package var isVisited: Bool { buffer.identity.withVisits { $0.isOpen } }

    /// Takes the beginning of the current visit, once in the process.
    ///
    /// - Returns: Whether the visit is the first of the process, or `nil` if there is none to take.
    package func takeOpening() -> Bool? { buffer.identity.withVisits { $0.takeOpening() } }

    /// Takes the duration of the last visit, once in the process.
    package func takeEnding() -> Duration? { buffer.identity.withVisits { $0.takeEnding() } }

    /// Takes the check of the app's version, once in the process.
    package func takeVersionCheck() -> Bool { buffer.identity.withVisits { $0.takeVersionCheck() } }
}
