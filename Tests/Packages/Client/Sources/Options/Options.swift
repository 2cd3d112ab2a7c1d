// The options of the engine, which are built and not linked into the client.
import DeliveryMetrics
import FeatureFlags
import FormatChanges
import FoundationParameters
import ProfileUpdates
import QuotasFetching
import SDKDelivery
import SentRecord
import ServerDelivery
import TimedEvents
import WebBridge
