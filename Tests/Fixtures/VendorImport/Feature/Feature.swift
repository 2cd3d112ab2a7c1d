import BrazeTracker
import DLTracker
