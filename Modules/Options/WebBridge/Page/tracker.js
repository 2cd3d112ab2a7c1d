// Passes the events of a page to the app: eventTracker.track(name, parameters, service). It never throws.
(() => {
    "use strict";
    const handler = window.webkit?.messageHandlers?.eventTracker;
    if (!handler || window.eventTracker) return;
    const { stringify } = JSON;
    const post = handler.postMessage.bind(handler);
    const track = (name, parameters = {}, service = "awesomeTracking") => {
        let message = "";  // of an event that is no JSON, which the app counts
        try {
            message = stringify({ service, name, parameters });
        } catch {}
        try {
            post(message);
        } catch {}  // The app has removed its handler.
    };
    Object.defineProperty(window, "eventTracker", { value: Object.freeze({ track }) });
})();
