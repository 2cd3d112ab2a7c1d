import CoreTracker
import EventInspector
import Foundation
import SuperApp

/// The live inspector of a run, which shows the requests to the demo's receiver.
@MainActor
struct Inspection {
    private let inspector: EventInspector

    /// Attaches an inspector to the demo's receiver.
    ///
    /// Returns `nil` without `--inspect`.
    ///
    /// - Throws: `DemoError` if the folder of the tracking plan cannot be read.
    init?(_ options: InspectionOptions, of receivers: Receivers) throws(DemoError) {
        guard options.isOn, let collector = receivers.collector else { return nil }
        let folder = options.plan ?? ProcessInfo.processInfo.environment["TRACKING_PLAN"]
        let plan: InspectorPlan
        do throws(InspectorPlanError) {
            plan = if let folder { try InspectorPlan(folder: folder) } else { InspectorPlan() }
        } catch {
            throw DemoError("--plan: \(error)", code: .noInput)
        }
        inspector = EventInspector(on: collector, services: receivers.services, plan: plan)
    }

    /// The page's address.
    var link: String { inspector.link }

    /// Prints the page's address.
    func announce(on console: Console) {
        console.log("inspector: \(link)\nEnter tracks everything once more, Ctrl-C ends")
    }

    /// Waits for the user or a signal.
    ///
    /// - Returns: Whether the user asks for another round.
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

    /// Returns the next byte of stdin, 0 at its end, or `nil` if there is none yet.
    private func byte() -> UInt8? {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 0) > 0 else { return nil }
        var byte: UInt8 = 0
        return unsafe read(STDIN_FILENO, &byte, 1) == 1 ? byte : 0
    }
}

/// The examples of the tracking plan, tracked through the products' real trackers with the modules' default parameters.
enum PlannedExamples {
    /// An event of the plan with its catalog and product.
    struct Entry {
        let event: any PlannedEvent.Type
        let catalog: EventCatalog
        let product: ProductEntry
    }

    /// Returns the events of a module or with a type name, or all events for `nil`.
    static func events(named name: String?) -> [Entry] {
        ProductEntry.all.flatMap { product in
            product.catalogs.flatMap { catalog in
                catalog.events.filter { name == nil || name == catalog.module || name == String(describing: $0) }
                    .map { Entry(event: $0, catalog: catalog, product: product) }
            }
        }
    }

    /// Tracks the examples of the given events.
    ///
    /// - Returns: The number of examples.
    static func track(_ name: String?, vendorService: any VendorService) -> Int {
        events(named: name).reduce(0) { count, entry in
            let tracker = entry.product.tracker(vendorService: vendorService).withDefaults(entry.catalog.defaults)
            return count + track(entry.event, by: tracker)
        }
    }

    private static func track<Event: PlannedEvent>(_ event: Event.Type, by tracker: any CoreTracker) -> Int {
        let examples = Event.plan.examples
        for example in examples { tracker.track(example) }
        return examples.count
    }
}
