#if os(iOS)
import AppTracking
import CoreTracker
import TYProductDetail
import TYTracker
import UIKit

/// The delegate that shows the product and tracks the links that open the app.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene else { return }
        // The link of a cold start is only here. The engine is not open yet, so its event waits in memory.
        track(options.urlContexts.map(\.url) + options.userActivities.compactMap(\.webpageURL))
        let presenter = TYProductDetailPresenter(product: TYProduct.examples[0])
        window = UIWindow(windowScene: scene)
        window?.rootViewController = ProductViewController(presenter)
        window?.makeKeyAndVisible()
    }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        track(contexts.map(\.url))
    }

    func scene(_ scene: UIScene, continue activity: NSUserActivity) {
        if let link = activity.webpageURL { track([link]) }
    }

    private func track(_ links: [URL]) {
        for link in links { TYTracker().track(DeepLinkOpened(link: link.absoluteString)) }
    }
}
#endif
