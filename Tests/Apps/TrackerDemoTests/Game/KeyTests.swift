import Testing

@testable import TrackerDemo

@Suite struct KeyTests {
    @Test(arguments: [
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [Key.up, .down, .right, .left]),
        ("\u{1B}OA q", [.up, .space, .letter("q")]),
        ("\u{1B}[1;5C", [.right]),
        ("\u{1B}[3~a", [.letter("a")]),
        ("\u{1B}", []),
        ("\u{1B}[", []),
        ("ü\r\n", []),
    ]) func `a terminal's input is parsed into keys`(_ text: String, _ keys: [Key]) {
        #expect(Key.read(Array(text.utf8)) == keys)
    }
}
