import Testing

@testable import EventTracking

@Suite(.timeLimit(.minutes(5))) struct DiagnosticStreamTests {
    @Test func `each listener receives later diagnostics until the stream ends`() async {
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

    @Test func `a slow listener loses the oldest diagnostics`() async {
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
