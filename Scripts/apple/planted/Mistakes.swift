// Mistakes that only a compiler for an Apple platform can find. Each line names the expected error.
import Darwin
import UIKit

// expected-error@+2 {{only available in iOS 26}}
// expected-note@+1 {{add '@available' attribute}}
func newerThanTheFloor(_ bytes: InlineArray<4, UInt8>) {}

#if os(iOS)
@MainActor
func unknownToThePlatform(_ application: UIApplication) {
    _ = application.startBackgroundTask()  // expected-error {{has no member 'startBackgroundTask'}}
    _ = Process()  // expected-error {{'Process' is unavailable in iOS}}
    _ = clock_gettime_nsec_np(CLOCK_BOOTTIME)  // expected-error {{cannot find 'CLOCK_BOOTTIME' in scope}}
}

// expected-note@+1 {{add '@MainActor'}}
func leavesTheMainActor(_ application: UIApplication) {
    _ = application.applicationState  // expected-error {{main actor-isolated property 'applicationState' can not be}}
}
#endif
