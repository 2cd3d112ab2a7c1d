import CoreTracker
import Locks
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProductSettingsTests {
    @Test func `each change updates the defaults once`() {
        let calls = Mutex(0)
        let settings = ProductSettings("TR") { country in
            calls.withLock { $0 += 1 }
            return ["storefront": .string(country)]
        }

        #expect(settings.defaults == ["storefront": "TR"])
        settings.update { $0 = "AZ" }

        #expect(settings.value == "AZ")
        #expect(settings.defaults == ["storefront": "AZ"] && settings.defaults == ["storefront": "AZ"])
        #expect(calls.withLock { $0 } == 2)
    }

    @Test func `concurrent changes all take effect, and the defaults follow the last one`() async {
        let settings = ProductSettings(0) { ["count": .int($0)] }

        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 { settings.update { $0 += 1 } }
                }
            }
        }

        #expect(settings.value == 4_000)
        #expect(settings.defaults == ["count": 4_000])
    }

    @Test func `the defaults under a scope are current, for any number of scopes`() {
        let settings = ProductSettings("TR") { ["storefront": .string($0), "screen": "none"] }
        let scopes: [EventParameters] = (0..<40).map { ["screen": .int($0)] }

        for _ in 0..<2 {
            for (index, scope) in scopes.enumerated() {
                #expect(settings.defaults(under: scope) == ["storefront": "TR", "screen": .int(index)])
                #expect(settings.defaults(under: ["screen": .int(index)]) == settings.defaults(under: scope))
            }
        }
        settings.update { $0 = "AZ" }

        #expect(settings.defaults(under: scopes[39]) == ["storefront": "AZ", "screen": 39])
        #expect(settings.defaults(under: []) == settings.defaults)
    }
}
