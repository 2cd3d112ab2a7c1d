import CoreTracker
import SFTracker
import Testing

@Suite struct SFSettingsTests {
    @Test func `every event carries Starfield's channel, product and mode, and no shop parameters`() {
        let defaults = SFSettings(mode: .selfPlay).awesomeTrackingDefaults

        #expect(defaults.map(\.key.name) == ["channel", "product_id", "mode", "platform"])
        #expect(defaults["channel"] == "starfield")
        #expect(defaults["product_id"] == "SF")
        #expect(defaults["mode"] == "self_play")
    }
}
