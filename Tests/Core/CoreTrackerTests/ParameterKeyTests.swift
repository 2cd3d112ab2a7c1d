import CoreTracker
import Testing

@Suite struct ParameterKeyTests {
    @Test(arguments: ["price", "", "a key of more than fifteen bytes"])
    func `keys with the same name are equal, however they were created`(name: String) {
        let key = ParameterKey(name)

        #expect(key == ParameterKey(String(name.reversed().reversed())))
        #expect(key != ParameterKey(name + "_"))
    }

    @Test func `canonically equivalent names are equal keys`() {
        let (composed, decomposed) = (ParameterKey("caf\u{E9}"), ParameterKey("cafe\u{301}"))
        let (kelvin, letter) = (ParameterKey("\u{212A}"), ParameterKey("K"))

        #expect(composed == decomposed && composed.hashValue == decomposed.hashValue)
        #expect(kelvin == letter && letter == kelvin && kelvin.hashValue == letter.hashValue)
        let parameters: EventParameters = [composed: 1, letter: 2, decomposed: 3, kelvin: 4]
        #expect(parameters.map(\.value) == [3, 4])
    }

    @Test func `among many keys each equal one is found`() {
        let pairs = (0..<200).map { (ParameterKey("key_\($0)"), ParameterValue.int($0)) }

        #expect(EventParameters(pairs).count == 200)
        #expect(EventParameters(pairs + [(ParameterKey("key_7"), 0)]).count == 200)
        #expect(EventParameters(pairs + [(ParameterKey("key_7"), 0)])[7].value == 0)
    }
}
