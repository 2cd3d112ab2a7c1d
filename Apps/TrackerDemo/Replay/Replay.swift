import DLCheckout
import DLProductDetail
import DLTracker
import EventDelivery
import Foundation
import TYCheckout
import TYProductDetail
import TYTracker

/// A replay of a clickstream through the presenters of both products, with one event for each service and row.
@MainActor
struct Replay {
    /// The currency of the prices, which the file does not state.
    private static let currency = "USD"
    /// The maximum number of listed malformed rows.
    private static let namedRows = 5

    private let tracking: DemoWiring
    private let trackers: ReplayTrackers
    private let console: Console
    private var sessions = SessionStarts()
    private var current: (user: String, session: String)?
    private(set) var count = ReplayCount()

    /// Creates a replay before its first row.
    init(_ tracking: DemoWiring, console: Console) {
        self.tracking = tracking
        trackers = ReplayTrackers(on: tracking.engine)
        self.console = console
    }

    /// Reads the file to its end, unless a signal arrives.
    mutating func run(_ file: ReplayFile, pacer: Pacer, interruption: Interruption) async {
        var (file, pacer) = (file, pacer)
        await pacer.wait(unless: interruption)
        do {
            while !interruption.isRaised, let entry = try file.next() {
                count.rows += 1
                switch entry {
                case .row(let row):
                    count.kinds[row.kind, default: 0] += 1
                    track(row)
                    if await pacer.pause(unless: interruption) { await showProgress() }
                case .malformed(let line, let reason): record(line, reason)
                }
            }
        } catch {
            count.readError = "\(error.localizedDescription)".printable
        }
    }

    /// Sets the row's time, user and session, then calls its product's presenter.
    private mutating func track(_ row: ReplayRow) {
        tracking.time.set(row.time)
        if current?.user != row.user { tracking.engine.user.identify(row.user) }
        if current?.session != row.session || current?.user != row.user {
            tracking.engine.startSession(id: row.session, at: sessions.start(of: row.session, at: row.time))
        }
        current = (row.user, row.session)
        switch Product.of(session: row.session) {
        case .dolapLite: driveDolapLite(row)
        case .trendyol: driveTrendyol(row)
        }
    }

    private func driveDolapLite(_ row: ReplayRow) {
        let product = DLProduct(
            id: row.productID,
            category: row.category,
            brand: row.brand,
            price: row.price,
            currency: Replay.currency
        )
        let detail = DLProductDetailPresenter(product: product, tracker: trackers.dolapLiteDetail)
        switch row.kind {
        case .view: detail.appear()
        case .cart: detail.addToBasket()
        case .removeFromCart: detail.removeFromBasket()
        case .purchase:
            DLCheckoutPresenter(basket: DLBasket(product), tracker: trackers.dolapLiteCheckout)
                .purchase(orderID: orderID(row))
        }
    }

    private func driveTrendyol(_ row: ReplayRow) {
        let product = TYProduct(
            id: row.productID,
            category: row.category,
            brand: row.brand,
            price: row.price,
            currency: Replay.currency
        )
        let detail = TYProductDetailPresenter(product: product, tracker: trackers.trendyolDetail)
        switch row.kind {
        case .view: detail.appear()
        case .cart: detail.addToBasket()
        case .removeFromCart: detail.removeFromBasket()
        case .purchase:
            TYCheckoutPresenter(cart: TYCart(product), tracker: trackers.trendyolCheckout)
                .purchase(orderNumber: orderID(row))
        }
    }

    /// Returns an order id, which the file lacks.
    ///
    /// It is unique for each purchase and the same in every run.
    private func orderID(_ row: ReplayRow) -> String { "\(row.session)-\(count.rows)" }

    private mutating func record(_ line: Int, _ reason: String) {
        count.malformed += 1
        if count.malformed <= Replay.namedRows { console.log("line \(line) is skipped: \(reason)") }
    }

    private func showProgress() async {
        guard console.isProgressDue else { return }
        let pending = await tracking.engine.statistics().reduce(0) { $0 + $1.ledger.pending }
        console.progress("\(count.rows) rows read, \(pending) events pending")
    }
}

/// The feature trackers of a replay's engine.
struct ReplayTrackers: Sendable {
    /// Dolap Lite's product detail.
    let dolapLiteDetail: DLProductDetailTracker
    /// Dolap Lite's checkout.
    let dolapLiteCheckout: DLCheckoutTracker
    /// Trendyol's product detail.
    let trendyolDetail: TYProductDetailTracker
    /// Trendyol's checkout.
    let trendyolCheckout: TYCheckoutTracker

    /// Creates trackers whose services deliver with an engine.
    init(on engine: DeliveryEngine) {
        dolapLiteDetail = DLProductDetailTracker(DLTracker(on: engine))
        dolapLiteCheckout = DLCheckoutTracker(DLTracker(on: engine))
        trendyolDetail = TYProductDetailTracker(TYTracker(on: engine))
        trendyolCheckout = TYCheckoutTracker(TYTracker(on: engine))
    }
}

/// The number of rows read by a run.
struct ReplayCount: Sendable, Equatable {
    /// The number of rows without the header, including malformed ones.
    var rows = 0
    /// The number of rows that could not be replayed.
    var malformed = 0
    /// The number of replayed rows by kind.
    var kinds: [ReplayRow.Kind: Int] = [:]
    /// The error that ended reading, or `nil` if the file was read completely.
    var readError: String?
}
