import CoreTracker
import SFTracker
import Testing

@Suite struct SFTappedTests {
    @Test(arguments: SFTapped.Control.allCases)
    func `only AwesomeTracking gets the control and its screen`(control: SFTapped.Control) {
        let parameters: EventParameters = ["control": .string(control.rawValue), "screen": "menu"]
        let event = AwesomeTrackingEvent(name: "control_tapped", parameters: parameters)

        #expect(SFTapped(control: control, fromView: "menu").services == [.awesomeTracking(event)])
    }
}
