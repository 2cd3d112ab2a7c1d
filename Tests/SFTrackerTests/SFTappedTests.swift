import CoreTracker
import SFTracker
import Testing

@Suite struct SFTappedTests {
    @Test(arguments: SFTapped.Control.allCases)
    func `AwesomeTracking alone gets the control`(control: SFTapped.Control) {
        let event = AwesomeTrackingEvent(name: "control_tapped", parameters: ["control": .string(control.rawValue)])

        #expect(SFTapped(control: control).services == [.awesomeTracking(event)])
    }
}
