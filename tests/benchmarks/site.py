"""The built site's sizes and waiting times in Chromium: `make site && python -m tests.benchmarks.site`. Prints figures; proves nothing.

Each time is that of a fresh browser with an empty cache, from the call of the page: the median of three, over HTTP and from disk.
"""

import functools
import gzip
import http.server
import statistics
import tempfile
import threading
import time

from tests.site.conftest import BUILT, FLAGS, Browser

AIMS = {"search answers": 2, "chart is interactive": None, "first SQL answer": 4}
TIMES = 3
VEGA = "assets/vega.js"
WHOLE = "chart is interactive"  # after which the first page has asked for all that it needs


def compressed(path):
    return len(gzip.compress(path.read_bytes(), 6))


def one(address, page, act, done):
    """Seconds from opening a page to `done`, after doing `act`; and the files asked for."""
    from selenium import webdriver  # with the site's packages alone
    from selenium.webdriver.chrome.service import Service

    with tempfile.TemporaryDirectory() as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        browser = Browser(driver)
        browser.size(1280)
        try:
            start = time.monotonic()
            driver.get(f"{address}/{page}")
            browser.run(act)
            browser.until(done)
            seconds = time.monotonic() - start
            return seconds, {
                each.removeprefix(f"{address}/").partition("?")[0]
                for each in browser.asked()
                if each.startswith(address)
            }
        finally:
            driver.quit()


def waits():
    typed = "const input = document.querySelector('.finder input'); input.value = 'gpt-4'; input.dispatchEvent(new Event('input', {bubbles: true}))"
    asked = "document.getElementById('sql').value = 'select count(*) from estimates'; document.getElementById('run').click()"
    return {
        "search answers": ("index.html", typed, "return document.querySelectorAll('.finder li bdi').length > 0"),
        "chart is interactive": ("index.html", typed, "return document.querySelector('[data-ready]') !== null"),
        "first SQL answer": ("sql.html", asked, "return document.body.dataset.answered"),
    }


def main():
    models = {path: compressed(path) for path in sorted((BUILT / "models").glob("*.html"))}
    largest = max(models, key=models.get)
    print(f"largest page of a model, compressed: {models[largest] / 1e3:.0f} kB (aim 60): {largest.name}")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=BUILT)
    handler.func.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for where, address in (("HTTP", f"http://127.0.0.1:{server.server_port}"), ("disk", BUILT.as_uri())):
            for label, given in waits().items():
                runs = [one(address, *given) for _ in range(TIMES)]
                seconds = [run[0] for run in runs]
                aim = f" (aim {AIMS[label]} s)" if AIMS[label] else ""
                print(
                    f"{label}, {where}: {statistics.median(seconds):.1f} s{aim}; {min(seconds):.1f} to {max(seconds):.1f}",
                    flush=True,
                )
                if label == WHOLE and where == "HTTP":
                    sizes = {
                        name: compressed(BUILT / name)
                        for name in sorted(set.union(*(run[1] for run in runs)) - {"", VEGA})
                    }
                    told = ", ".join(f"{name} {size / 1e3:.0f}" for name, size in sizes.items() if size >= 500)
                    print(f"first page without {VEGA}: {sum(sizes.values()) / 1e3:.0f} kB compressed (aim 150): {told}")
        server.shutdown()


if __name__ == "__main__":
    main()
