"""A browser on the built site, from disk and over HTTP; only `make site-test` uses it."""

import functools
import http.server
import json
import threading
import time

import pytest

from pipeline.base.paths import ROOT
from pipeline.publishing import database

BUILT = ROOT / "site"
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


class Browser:
    """Chromium, with the operations that these tests need."""

    def __init__(self, driver):
        self.driver, self.shown = driver, None
        driver.set_script_timeout(120)

    def open(self, address, width=1280, is_dark=False):
        """Open the page at this address and width, and clear earlier log messages."""
        self.size(width, is_dark)
        self.logged(), self.requested_elsewhere("")
        self.driver.get(address)

    def size(self, width, is_dark=False):
        if self.shown == (width, is_dark):
            return
        self.shown = (width, is_dark)
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def answer(self, promise, *arguments):
        """Return the result of a promise, or the message of its error."""
        script = f"const done = arguments[arguments.length - 1]; ({promise})(...arguments).then(done, (problem) => done({{error: String(problem)}}))"
        return self.driver.execute_async_script(script, *arguments)

    def until(self, script, seconds=60):
        """Wait until a script returns a true value, and return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.run(script):
                return value
            time.sleep(0.05)
        raise AssertionError(f"{script} stays untrue; {self.logged()}")

    def keys(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def type_in(self, selector, text):
        """Enter a text or choose an option, as a reader does."""
        script = "const input = document.querySelector(arguments[0]); input.value = arguments[1]; for (const kind of ['input', 'change']) input.dispatchEvent(new Event(kind, {bubbles: true}))"
        self.run(script, selector, text)

    def logged(self):
        """Return errors on the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def requested_elsewhere(self, site):
        """Return addresses outside this site that pages requested since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        addresses = [
            event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"
        ]
        return [address for address in addresses if not address.startswith((site, "blob:", "data:"))]


@pytest.fixture(scope="session")
def miniature_site(miniature, shared_folder):
    """Build the site of the miniature, without parts that need other packages."""
    from pipeline.site.build import PAGES, build
    from tests.builders import made_once

    def make(folder):
        build(folder / "site", root=miniature, parts=PAGES)

    return made_once(shared_folder / "miniature_site", make) / "site"


@pytest.fixture(scope="session")
def browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    yield Browser(driver)
    driver.quit()


@pytest.fixture(scope="session")
def disk():
    return BUILT.as_uri()


@pytest.fixture(scope="session")
def served():
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=BUILT)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def published():
    with database.reading() as connection:
        yield connection
