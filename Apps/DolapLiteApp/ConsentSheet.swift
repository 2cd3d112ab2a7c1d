#if os(iOS)
import CoreTracker
import EventDelivery
import SwiftUI

/// A question to the user, whose answer the engine stores.
struct ConsentSheet: View {
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack {
            Text("May the app measure how you use it?")
            Button("Allow") { answer(.granted) }
            Button("Do not allow") { answer(.denied) }
        }
    }

    private func answer(_ consent: Consent) {
        dismiss()
        // If the disk does not store the answer, the app asks again at its next launch.
        Task { try? await DeliveryEngine.shared.setConsent(consent, for: .analytics) }
    }
}
#endif
