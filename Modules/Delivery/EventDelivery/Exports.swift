// An app that opens the engine reads its ledger and writes requests. These modules are part of its vocabulary, and none
// of them depends on the engine. Besides this file, only MultiTracker re-exports a module.
@_exported public import EventDeliveryAPI
@_exported public import HTTPTransport
