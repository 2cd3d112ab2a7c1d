import EventInspector
import Foundation

/// The live inspector of a run: the demo's own receiver shows what it gets.
@MainActor
struct Inspection {
    private let inspector: EventInspector

    /// Puts an inspector on the demo's receiver; `nil` where none was asked for.
    init?(_ options: InspectionOptions, of receivers: Receivers) {
        guard options.isOn, let collector = receivers.collector else { return nil }
        let folder = options.plan ?? ProcessInfo.processInfo.environment["TRACKING_PLAN"]
        inspector = EventInspector(
            on: collector,
            services: receivers.services,
            plan: folder.map(InspectorPlan.init(folder:)) ?? InspectorPlan()
        )
    }

    /// The page's address.
    var link: String { inspector.link }

    /// Tells where the page is.
    func announce(on console: Console) {
        console.note("inspector: \(link)\nEnter tracks everything once more, Ctrl-C ends")
    }

    /// Waits until the user asks for another round, which is the answer, or for the end.
    func wantsMore(unless interruption: Interruption) async -> Bool {
        var isOpen = true
        while !interruption.isRaised {
            if isOpen, let byte = byte() {
                if byte == UInt8(ascii: "\n") { return true }
                isOpen = byte != 0
            } else {
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        return false
    }

    /// The next byte of the standard input, 0 at its end; `nil` while there is none.
    private func byte() -> UInt8? {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 0) > 0 else { return nil }
        var byte: UInt8 = 0
        return unsafe read(STDIN_FILENO, &byte, 1) == 1 ? byte : 0
    }
}
