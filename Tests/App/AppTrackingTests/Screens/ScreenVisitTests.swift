import Testing

@testable import AppTracking

@Suite struct ScreenVisitTests {
    @Test func `a screen that reports several appearances is tracked once`() {
        var visit = ScreenVisit()

        let tracked = (1...3).map { _ in visit.appeared(isActive: true) }

        #expect(tracked == [true, false, false])
    }

    @Test func `a screen that appears again is tracked again`() {
        var visit = ScreenVisit()
        _ = visit.appeared(isActive: true)

        visit.disappeared()
        let isTracked = visit.appeared(isActive: true)

        #expect(isTracked)
    }

    @Test func `a screen of an app that starts in the background is tracked when its scene becomes active`() {
        var visit = ScreenVisit()

        let tracked = [false, true, false, true].map { visit.appeared(isActive: $0) }

        #expect(tracked == [false, true, false, false])
    }
}
