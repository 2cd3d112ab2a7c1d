import Analytics
import CoreTracker
import DLCheckout
import DLListing
import DLProductDetail
import DLTracker
import EventDelivery
import TYCheckout
import TYProductDetail
import TYTracker

/// A scripted shopping journey through the screens of both products.
@MainActor
struct DemoJourney {
    /// The engine, on which the journey sets the user.
    let engine: DeliveryEngine
    /// The service for Dolap Lite's steps.
    let analytics: any AnalyticsService
    /// The service for Dolap Lite's vendor events, such as a store's enabled vendors.
    let vendorService: any VendorService

    /// Runs through both products.
    ///
    /// - Returns: The recorded screen calls.
    func run() -> [ScreenLog] {
        [walkDolapLite(), walkTrendyol()]
    }

    private func walkDolapLite() -> ScreenLog {
        engine.user.identify("dl-user-417")
        engine.startSession()
        let screen = DLScreen()
        let listing = DLListingPresenter(listID: "apparel.dress", products: DemoJourney.dresses, analytics: analytics)
        listing.view = screen
        listing.appear()
        listing.tapProduct(at: 1)
        guard let product = screen.opened else { return screen.log }
        let detail = DLProductDetailPresenter(
            product: product,
            tracker: DLProductDetailTracker(DLTracker(vendorService: vendorService))
        )
        detail.view = screen
        detail.appear()
        detail.like()
        detail.addToBasket(quantity: 2)
        detail.removeFromBasket()
        let checkout = DLCheckoutPresenter(basket: DLBasket(product), analytics: analytics)
        checkout.view = screen
        checkout.appear()
        checkout.select(.wallet)
        checkout.purchase(orderID: "DL-2041")
        return screen.log
    }

    private func walkTrendyol() -> ScreenLog {
        engine.user.identify("ty-user-88")
        engine.startSession()
        let screen = TYScreen()
        let detail = TYProductDetailPresenter(product: DemoJourney.headphones)
        detail.view = screen
        detail.appear()
        detail.tapReviews()
        detail.addToBasket(quantity: 2)
        detail.removeFromBasket()
        let cart = TYCart(DemoJourney.headphones)
        let checkout = TYCheckoutPresenter(cart: cart, coupon: "WELCOME10")
        checkout.view = screen
        checkout.appear()
        checkout.select(TYShipping(.express, price: 4.99))
        checkout.purchase(orderNumber: "TY-790031")
        return screen.log
    }

    /// Dolap Lite's products.
    static let dresses = [
        DLProduct(id: "9001", category: "apparel.dress", brand: "mango", condition: .new, price: 420, currency: "TRY"),
        DLProduct(id: "9002", category: "apparel.dress", brand: "zara", condition: .used, price: 180, currency: "TRY"),
        DLProduct(id: "9003", category: "apparel.dress", condition: .likeNew, price: 265.5, currency: "TRY"),
    ]

    /// Trendyol's product.
    static let headphones = TYProduct(
        id: "4804056",
        category: "electronics.audio.headphone",
        brand: "apple",
        merchantID: "m-968",
        listPrice: 279,
        price: 249.9,
        currency: "EUR"
    )
}

/// All screens of Dolap Lite.
///
/// They record the calls of their presenters.
@MainActor
final class DLScreen: DLListingView, DLProductDetailView, DLCheckoutView {
    /// The recorded calls.
    private(set) var log = ScreenLog(product: .dolapLite)
    /// The product whose screen was opened last.
    private(set) var opened: DLProduct?

    func show(_ products: [DLProduct]) { record("list of \(products.count)") }

    func open(_ product: DLProduct) {
        opened = product
        record("tap")
    }

    func show(_ product: DLProduct) { record("product \(product.id)") }

    func showAdded(_ quantity: Int) { record("\(quantity) into the basket") }

    func showRemoved(_ quantity: Int) { record("\(quantity) out of it") }

    func showLiked() { record("liked") }

    func show(_ basket: DLBasket) { record("checkout") }

    func showPayment(_ payment: DLPayment) { record("pays by \(payment.rawValue)") }

    func showConfirmation(orderID: String) { record("order \(orderID)") }

    private func record(_ scene: String) { log.scenes.append(scene) }
}

/// All screens of Trendyol.
///
/// They record the calls of their presenters.
@MainActor
final class TYScreen: TYProductDetailView, TYCheckoutView {
    /// The recorded calls.
    private(set) var log = ScreenLog(product: .trendyol)

    func show(_ product: TYProduct) { record("product \(product.id)") }

    func showAdded(_ quantity: Int) { record("\(quantity) into the cart") }

    func showRemoved(_ quantity: Int) { record("\(quantity) out of it") }

    func openReviews() { record("reviews") }

    func show(_ cart: TYCart) { record("checkout") }

    func showShipping(_ shipping: TYShipping) { record("\(shipping.kind.rawValue) shipping") }

    func showConfirmation(orderNumber: String) { record("order \(orderNumber)") }

    private func record(_ scene: String) { log.scenes.append(scene) }
}

/// The recorded screen calls of one product, in order.
struct ScreenLog: Sendable, Equatable {
    /// The product.
    let product: Product
    /// A short text for each call.
    var scenes: [String] = []
}
