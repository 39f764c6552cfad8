"""Drives a headless Chromium by its debugging protocol, over pipes: nothing but the browser is needed."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

# The least contrast of any text with what is behind it, and where that is.
CONTRAST = """(() => {
    const luminance = text => {
        const parts = text.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
            .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    const backgroundOf = element => {
        for (let at = element; at; at = at.parentElement) {
            const body = at.matches(".item") && at.querySelector("rect.body");
            if (body && getComputedStyle(body).fill !== "none") return getComputedStyle(body).fill;
            const colour = getComputedStyle(at).backgroundColor;
            if (!/, 0\\)$|transparent/.test(colour)) return colour;
        }
        return "rgb(255, 255, 255)";
    };
    let worst = [99, ""];
    for (const element of document.querySelectorAll("body *")) {
        const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        if (!own || element.matches("script, style, noscript *, #tip") || !element.getClientRects().length) continue;
        const style = getComputedStyle(element), text = element.namespaceURI.endsWith("svg") ? style.fill : style.color;
        const [high, low] = [luminance(text), luminance(backgroundOf(element))].sort((a, b) => b - a);
        const contrast = (high + 0.05) / (low + 0.05);
        if (contrast < worst[0]) worst = [contrast, element.tagName + "." + element.className + ": " + element.textContent];
    }
    return worst;
})()"""


def find():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """A browser with one page; a context manager. `errors` collects what pages report: exceptions and log entries."""

    def __init__(self, seconds=60):
        self.deadline = time.monotonic() + seconds
        self.errors, self.number = [], 0

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="gensyn-browser-")
        to_child, self.output = os.pipe()
        self.input, from_child = os.pipe()
        # The protocol is on the descriptors 3 and 4 of the browser.
        arrange = f'exec 3<&{to_child} 4>&{from_child}; exec "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", arrange, "bash", find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--no-first-run", f"--user-data-dir={self.profile}", "--remote-debugging-pipe",
             "about:blank"],
            pass_fds=(to_child, from_child), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.buffer, self.session = b"", None
        page = next(target for target in self.send("Target.getTargets")["targetInfos"] if target["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.output)
        os.close(self.input)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        """The next message; keeps what it reports as an error."""
        while b"\0" not in self.buffer:
            assert time.monotonic() < self.deadline, "the browser does not answer"
            part = os.read(self.input, 1 << 20)
            assert part, "the browser has ended"
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        values = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif message.get("method") == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.errors.append(values["entry"]["text"])
        elif message.get("method") == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.errors.append(str(values["args"]))
        return message

    def send(self, method, **values):
        """Calls a method of the protocol and returns its result."""
        self.number += 1
        request = {"id": self.number, "method": method, "params": values}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.output, json.dumps(request).encode() + b"\0")
        while (message := self.receive()).get("id") != self.number:
            pass
        assert "error" not in message, f"{method}: {message.get('error')}"
        return message["result"]

    def show(self, width, height, dark=False):
        """Sets the size of the page in pixels, and the colour scheme that it is asked for."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path):
        """Loads a file; returns the seconds until its scripts have run."""
        start = time.monotonic()
        self.send("Page.navigate", url="file://" + os.path.abspath(path))
        while self.receive().get("method") != "Page.loadEventFired":
            pass
        return time.monotonic() - start

    def evaluate(self, expression):
        """The value of a JavaScript expression."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, expression):
        """Waits until a JavaScript expression is true, after something that a page does when it gets to it."""
        while not self.evaluate(expression):
            assert time.monotonic() < self.deadline, f"never true: {expression}"
            time.sleep(0.01)

    def click(self, selector):
        """A click of the mouse in the middle of an element."""
        x, y = self.evaluate(f"""(() => {{
            const target = document.querySelector({json.dumps(selector)});
            target.scrollIntoView({{ block: "center" }});
            const box = target.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        """A key, such as "Tab", "Enter" or "ArrowRight"."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "PageDown": 34, "End": 35, "ArrowLeft": 37, "ArrowRight": 39}
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes.get(key, 0),
                      **(text if kind == "keyDown" else {}))

    def screenshot(self, path, whole=False):
        """Writes a PNG of what the page shows, or of the whole page."""
        image = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(image["data"]))

    def check_contrast(self, name):
        """Fails if the contrast of a text is less than the rules for accessible pages ask for (level AA)."""
        contrast, where = self.evaluate(CONTRAST)
        assert contrast >= 4.5, f"{name}: contrast {contrast:.2f} of {where}"

    def check_looks(self, folder, before=""):
        """Looks at the page in four forms: nothing is wider than the screen, text has contrast, and it is not blank.

        `before` is evaluated when the form has been set; the pictures are written into the folder.
        """
        backgrounds = set()
        for name, width, dark in (("wide", 1280, False), ("narrow", 380, False), ("dark", 1280, True), ("dark-narrow", 380, True)):
            self.show(width, 900, dark)
            self.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
            self.evaluate(before)
            assert self.evaluate("document.documentElement.scrollWidth") <= width, name
            self.check_contrast(name)
            self.screenshot(folder / f"{name}.png", whole=True)
            assert (folder / f"{name}.png").stat().st_size > 20000, name
            backgrounds.add(self.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert len(backgrounds) == 2, backgrounds
