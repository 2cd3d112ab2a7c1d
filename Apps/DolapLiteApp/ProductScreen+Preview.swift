#if os(iOS) && DEBUG
import CoreTrackerTesting
import DLProductDetail
import DLTracker
import SwiftUI

/// A preview, whose events stay in a mock.
struct ProductScreenPreviews: PreviewProvider {
    static var previews: some View {
        ProductScreen(presenter: DLProductDetailPresenter(product: DLProduct.examples[0], tracker: MockTracker()))
    }
}
#endif
