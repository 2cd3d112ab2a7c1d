"""Tries the script of WebBridge in a real browser: real clicks on a guest's page, whose messages its host tracks."""

import subprocess

from chromium import Checks, check, parse
from server import Server

# The browser has no WebKit: a binding of DevTools stands for the message handler.
HANDLER = "if (self.post) self.webkit = { messageHandlers: { eventTracker: { postMessage(text) { post(text) } } } };\n"


class Guest(Checks):
    def __init__(self, options, width, scheme):
        super().__init__(options, width, scheme)
        with open(options.script, encoding="utf-8") as file:
            script = file.read()
        self.page.call("Runtime.addBinding", name="post")
        self.page.call("Page.addScriptToEvaluateOnNewDocument", source=HANDLER + script)
        self.page.open(f"{origin}/page.html")

    def tracks(self):
        """a click tracks an event of the plan, and all others of the page are refused, each with its reason"""
        for button in ("like", "pollute", "like"):
            self.page.click(f"document.getElementById('{button}')")
        self.run("1")
        messages = [event["params"]["payload"] for event in self.browser.events if "bindingCalled" in event["method"]]
        lines = "".join(f"{origin}\t{message}\n" for message in messages)
        output = subprocess.run([self.options.host, origin], input=lines, stdout=subprocess.PIPE, text=True,
                                check=True).stdout
        print(output, end="")
        assert output.splitlines() == [
            "accepted × 2", "refused: not_in_plan × 4", "refused: message_not_json × 2",
            "MS/awesomeTracking accepted 8 delivered 2", "  message_not_json 2", "  not_in_plan 4",
            'item_liked u-8841 {"item_id":"7","price":35.79}']

    def stays(self):
        """no page can replace the tracker, and none of its calls throws"""
        assert self.run("""(() => { try { eventTracker = 1 } catch {} try { eventTracker.track = 1 } catch {}
            JSON.stringify = () => { throw 1 }; Object.prototype.toJSON = () => { throw 1 };
            eventTracker.track(); eventTracker.track(Symbol(), new Proxy({}, { ownKeys() { throw 1 } }));
            return typeof eventTracker.track })()""") == "function"
        assert self.page.complaints() == [], self.page.complaints()


options = parse("script", "guest", "host")
with open(f"{options.guest}/page.html", encoding="utf-8") as file:
    html = file.read()
origin = Server(lambda request: (200, html) if request.path == "/page.html" else (404, "")).url
check(options, (Guest, ("tracks", "stays")))
