// Whoever uses the engine reads its ledger and writes requests: these two modules are part of its vocabulary, split off
// so that neither knows the engine or the other. It is the one place where a module is re-exported.
@_exported public import EventBuffer
@_exported public import EventOutbox
@_exported public import HTTPTransport
