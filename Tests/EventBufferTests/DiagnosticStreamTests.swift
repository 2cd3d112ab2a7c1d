import Testing

@testable import EventBuffer

@Suite struct DiagnosticStreamTests {
    @Test func `everyone who listens hears what happens from then on, until the end`() async {
        let stream = DiagnosticStream()
        stream.send(.opened(pending: 0))
        let first = stream.subscribe()
        let second = stream.subscribe()

        stream.send(.opened(pending: 1))
        stream.finish()

        for listener in [first, second] {
            var heard: [String] = []
            for await diagnostic in listener { heard.append("\(diagnostic)") }
            #expect(heard == ["\(Diagnostic.opened(pending: 1))"])
        }
    }

    @Test func `a listener that falls behind loses the oldest`() async {
        let stream = DiagnosticStream()
        let listener = stream.subscribe()

        for number in 1...300 { stream.send(.opened(pending: number)) }
        stream.finish()

        var heard: [String] = []
        for await diagnostic in listener { heard.append("\(diagnostic)") }
        #expect(heard.count == 256)
        #expect(heard.last == "\(Diagnostic.opened(pending: 300))")
    }
}
