#if os(iOS)
import CoreTracker
import EventDelivery
import TYProductDetail
import TYTracker
import UIKit

/// The screen of one product, which is the view of its presenter.
final class ProductViewController: UIViewController, TYProductDetailView {
    private let presenter: TYProductDetailPresenter
    private let status = UILabel()

    init(_ presenter: TYProductDetailPresenter) {
        self.presenter = presenter
        super.init(nibName: nil, bundle: nil)
        presenter.view = self
    }

    required init?(coder: NSCoder) { nil }

    override func loadView() {
        let cart = UIAction(title: "Add to cart") { [presenter] _ in presenter.addToBasket() }
        let reviews = UIAction(title: "Reviews") { [presenter] _ in presenter.tapReviews() }
        let agree = UIAction(title: "Allow analytics") { _ in decide(.granted) }
        let refuse = UIAction(title: "Do not allow") { _ in decide(.denied) }
        let buttons = [cart, reviews, agree, refuse].map { UIButton(configuration: .filled(), primaryAction: $0) }
        let stack = UIStackView(arrangedSubviews: [status] + buttons)
        stack.axis = .vertical
        stack.distribution = .equalCentering
        view = stack
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        presenter.appear()
    }

    func show(_ product: TYProduct) { status.text = "\(product.price) \(product.currency)" }
    func showAdded(_ quantity: Int) { status.text = "in your cart: \(quantity)" }
    func showRemoved(_ quantity: Int) { status.text = "removed: \(quantity)" }
    func openReviews() { status.text = "no reviews yet" }
}

/// Passes the user's decision to the engine, which stores it for the next launches.
private func decide(_ consent: Consent) {
    Task { try? await DeliveryEngine.shared.setConsent(consent, for: .analytics) }
}
#endif
