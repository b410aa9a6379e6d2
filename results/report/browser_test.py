#!/usr/bin/env python3
"""Opens reports in headless Chromium, as people do: from a file, without a network.

Drives chromedriver by the WebDriver protocol (https://www.w3.org/TR/webdriver2/). Leaves screenshots of the
page in light, dark and narrow, and as it prints, in --screenshots.
"""
import argparse
import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
import zlib

ARGUMENTS = None
EVIL = "</script><img src=x onerror=\"document.title='broken into'\">"


class Browser:
    """One Chromium with a profile of its own. Everything it starts ends with it."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="dbdyno-report-")
        self.session = None
        self.driver = subprocess.Popen(
            [ARGUMENTS.chromedriver, "--port=0", "--log-level=WARNING"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, start_new_session=True)
        try:
            self.port = self._port()
            self._start()
        except BaseException:
            self.close()
            raise

    def _port(self):
        for line in self.driver.stdout:
            words = line.strip().rstrip(".").split()
            if "port" in words and "successfully" in words:
                return int(words[-1])
        raise RuntimeError("chromedriver did not say on which port it listens")

    def _start(self):
        options = {
            "binary": shutil.which(ARGUMENTS.chromium) or ARGUMENTS.chromium,
            "args": ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     "--disable-dev-shm-usage", "--hide-scrollbars", f"--user-data-dir={self.profile}",
                     # chromedriver would look up "localhost" otherwise, which a bare system may not know.
                     "--remote-debugging-pipe"],
        }
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL"}}
        answer = self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = answer["sessionId"]

    def _send(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode(errors='replace')[:2000]}") from error

    def send(self, path, body):
        return self._send("POST", f"/session/{self.session}{path}", body)

    def run(self, script, *arguments):
        return self.send("/execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, command, **parameters):
        return self.send("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, page, width=1200, height=900, dark=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                      mobile=False)
        self.devtools("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.send("/url", {"url": pathlib.Path(page).as_uri()})
        self.settle()

    def settle(self):
        """Until what was asked to be drawn is."""
        self.send("/execute/async", {"script": """
            const done = arguments[0];
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)));""", "args": []})

    def log(self):
        entries = self.send("/se/log", {"type": "browser"})
        return [f"{entry['level']}: {entry['message']}" for entry in entries]

    def press(self, key, times=1):
        actions = [{"type": kind, "value": key} for _ in range(times) for kind in ("keyDown", "keyUp")]
        self.send("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})
        self.settle()

    def screenshot(self, name, height=3000):
        """The page's upper part."""
        size = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], height), "scale": 1}
        shot = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        image = base64.b64decode(shot["data"])
        save(f"{name}.png", image)
        return image

    def pdf(self, name):
        form = {"background": True, "page": {"width": 21, "height": 29.7}}
        document = base64.b64decode(self.send("/print", form))
        save(f"{name}.pdf", document)
        return document

    def close(self):
        if self.session is not None:
            with contextlib.suppress(Exception):
                self._send("DELETE", f"/session/{self.session}")
        # Its own process group, in which the browser is, too.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.driver.pid, signal.SIGTERM)
        try:
            self.driver.wait(10)
        except subprocess.TimeoutExpired:
            pass
        deadline = time.monotonic() + 10
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.1)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.driver.pid, signal.SIGKILL)
        self.driver.wait()
        self.driver.stdout.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def processes(self):
        """Those that still work with this profile."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and self.profile.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
        return found


def save(name, content):
    if ARGUMENTS.screenshots:
        directory = pathlib.Path(ARGUMENTS.screenshots)
        directory.mkdir(parents=True, exist_ok=True)
        (directory / name).write_bytes(content)


def colours(png):
    """How often each colour stands in a PNG of the form that Chromium writes: 8 bits, not interlaced."""
    width, height, depth, kind = 0, 0, 0, 0
    packed = b""
    at = 8
    while at < len(png):
        size, name = int.from_bytes(png[at:at + 4], "big"), png[at + 4:at + 8]
        body = png[at + 8:at + 8 + size]
        if name == b"IHDR":
            width, height = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
            depth, kind = body[8], body[9]
        elif name == b"IDAT":
            packed += body
        at += size + 12
    assert depth == 8 and kind in (2, 6), "a PNG of another form"
    step = 3 if kind == 2 else 4
    raw = zlib.decompress(packed)
    line = width * step
    before = bytearray(line)
    found = {}
    for y in range(height):
        start = y * (line + 1)
        how, now = raw[start], bytearray(raw[start + 1:start + 1 + line])
        unfilter(how, now, before, step)
        before = now
        for x in range(0, line, 4 * step):  # every fourth pixel will do
            colour = bytes(now[x:x + 3])
            found[colour] = found.get(colour, 0) + 1
    return found


def unfilter(how, now, before, step):
    """Source: PNG specification (third edition), section 9."""
    if how == 0:
        return
    for i in range(len(now)):
        left = now[i - step] if i >= step else 0
        up = before[i]
        if how == 1:
            base = left
        elif how == 2:
            base = up
        elif how == 3:
            base = (left + up) // 2
        else:
            corner = before[i - step] if i >= step else 0
            guess = left + up - corner
            base = min((left, up, corner), key=lambda near: abs(guess - near))
        now[i] = (now[i] + base) & 0xFF


# The drawn part of the nth chart's canvas as text; equal texts are equal pictures.
CANVAS = "return document.querySelectorAll(arguments[0])[arguments[1]].toDataURL();"
COUNT_CANVASES = "return document.querySelectorAll('.uplot canvas').length;"
CURVES = "#latency .uplot canvas"
# The errors' table stands below their chart's figure, for cells that have no bar there, too.
CHARTS_WITHOUT_TABLE = """
    return [...document.querySelectorAll('.chart')].filter((chart) =>
      !(chart.closest('#errors') ?? chart.closest('figure'))?.querySelector('table'))
      .map((chart) => chart.closest('section').id);"""
BLANK_CANVASES = """
    return [...document.querySelectorAll('.uplot canvas')].filter((canvas) => {
      const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      const seen = new Set();
      for (let i = 0; i < pixels.length; i += 4)
        if (pixels[i + 3] > 0) seen.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
      return seen.size < 4;
    }).length;"""
# What stands on the page, folded or not, without the scripts' own texts.
PAGE_TEXT = """
    const body = document.body.cloneNode(true);
    body.querySelectorAll('script').forEach((script) => script.remove());
    return body.textContent;"""
# Whether the page, or anything in it that does not scroll by itself, is wider than the window.
TOO_WIDE = """
    const most = document.documentElement.clientWidth;
    const out = [];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > most) out.push('page: ' + scrollWidth);
    for (const each of document.querySelectorAll('body *')) {
      if (each.closest('.scroll, #contents, .unseen, .skip') || !each.checkVisibility()) continue;
      if (each.getBoundingClientRect().right > most + 1) out.push(each.tagName + '.' + each.className);
    }
    return out.slice(0, 10);"""


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory(prefix="dbdyno-report-pages-")
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.directory.cleanup()
        left = cls.browser.processes()
        assert not left, f"processes left behind: {left}"

    def setUp(self):
        self.browser.log()  # forgets what came before

    def report(self, *files):
        page = os.path.join(self.directory.name, f"{self.id()}.html")
        subprocess.run([ARGUMENTS.report, *files, "-o", page], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return page

    def reference(self, *names):
        return self.report(*[os.path.join(ARGUMENTS.reference, name) for name in names])

    def slide(self, to, within="#latency"):
        return self.browser.run("""
            const [to, within] = arguments;
            const slider = document.querySelector(`${within} .stops`);
            slider.value = to;
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            return document.querySelector(`${within} .slide output`).textContent;""", to, within)

    def assert_silent(self):
        self.assertEqual(self.browser.log(), [])

    def assert_drawn(self, image, least=40):
        found = colours(image)
        self.assertGreater(len(found), least)
        self.assertLess(max(found.values()) / sum(found.values()), 0.99)
        return found

    def test_draws_without_a_word_on_the_console(self):
        self.browser.open(self.reference("rates.json", "quick.json"))
        self.assertGreater(self.browser.run(COUNT_CANVASES), 10)
        self.assertEqual(self.browser.run(BLANK_CANVASES), 0)
        self.assert_drawn(self.browser.screenshot("light"))
        self.assert_silent()
        self.assertEqual(self.browser.run("return performance.getEntriesByType('resource').length;"), 0)

    def test_every_chart_has_its_table(self):
        self.browser.open(self.reference("rates.json", "quick.json"))
        self.assertGreater(self.browser.run("return document.querySelectorAll('.chart').length;"), 10)
        self.assertEqual(self.browser.run(CHARTS_WITHOUT_TABLE), [])
        bare = self.browser.run("""
            return [...document.querySelectorAll('th')].filter((head) => !head.scope).length +
              [...document.querySelectorAll('table')].filter((one) => !one.caption.textContent).length;""")
        self.assertEqual(bare, 0)

    def test_the_slider_changes_the_curves_and_their_table(self):
        self.browser.open(self.reference("rates.json", "quick.json"))
        self.assertIn("rates", self.browser.run(
            "return document.querySelector('#latency select').selectedOptions[0].textContent;"))
        seen = {}
        rates = [f"{share}\u00a0%" for share in range(40, 120, 10)]
        for stop, rate in enumerate([*rates, "closed loop"]):
            self.assertEqual(self.slide(stop), rate)
            self.browser.settle()
            drawn = self.browser.run(CANVAS, CURVES, 0)
            rows = self.browser.run("return document.querySelector('#latency tbody').textContent;")
            self.assertNotIn(drawn, seen)
            self.assertNotIn(rows, seen.values())
            seen[drawn] = rows
        self.assert_silent()

    def test_the_slider_walks_over_shapes_where_no_rate_was_measured(self):
        self.browser.open(self.reference("quick.json"))
        self.assertIn("No rates were measured", self.browser.run(
            "return document.querySelector('#latency').textContent;"))
        first = self.browser.run(CANVAS, CURVES, 0)
        self.slide(1)
        self.browser.settle()
        self.assertNotEqual(self.browser.run(CANVAS, CURVES, 0), first)

    def test_works_by_keyboard(self):
        self.browser.open(self.reference("rates.json"))
        self.browser.run("document.querySelector('#latency .stops').focus();")
        before = self.browser.run("return document.querySelector('#latency .slide output').textContent;")
        self.browser.press("\ue014")  # right
        self.assertNotEqual(self.browser.run(
            "return document.querySelector('#latency .slide output').textContent;"), before)
        self.browser.run("document.querySelector('#latency .plot').focus();")
        self.browser.press("\ue014", 12)
        spoken = self.browser.run("return document.querySelector('#latency .unseen').textContent;")
        self.assertRegex(spoken, r"^90.%: mysql/\w+ [\d.]+.ms, mysql/\w+")
        title = "return document.querySelector('#latency .axis-title').textContent;"
        self.assertRegex(self.browser.run(title), r"at 90.%$")
        self.browser.devtools("Emulation.setDeviceMetricsOverride", width=700, height=800,
                              deviceScaleFactor=2, mobile=False)
        self.browser.settle()
        self.assertRegex(self.browser.run(title), r"at 90.%$")  # drawn anew, it still reads there
        self.browser.press("\ue00c")  # escape
        self.assertNotIn("· at", self.browser.run(title))
        self.browser.run("document.querySelector('#latency .legend button').focus();")
        drawn = self.browser.run(CANVAS, CURVES, 0)
        self.browser.press("\ue007")  # enter
        self.assertEqual(self.browser.run(
            "return document.activeElement.getAttribute('aria-pressed');"), "false")
        self.assertNotEqual(self.browser.run(CANVAS, CURVES, 0), drawn)
        unreachable = self.browser.run("""
            return [...document.querySelectorAll('.scroll, .plot:not([role=img])')]
              .filter((one) => one.tabIndex !== 0).length;""")
        self.assertEqual(unreachable, 0)
        self.assert_silent()

    def test_follows_dark(self):
        page = self.reference("rates.json", "quick.json")
        self.browser.open(page, dark=True)
        found = self.assert_drawn(self.browser.screenshot("dark"))
        darkness = sum(count for colour, count in found.items() if max(colour) < 0x60) / sum(found.values())
        self.assertGreater(darkness, 0.8)
        # And changes with the system while it is open.
        drawn = self.browser.run(CANVAS, CURVES, 0)
        self.browser.devtools("Emulation.setEmulatedMedia",
                              features=[{"name": "prefers-color-scheme", "value": "light"}])
        self.browser.settle()
        self.assertNotEqual(self.browser.run(CANVAS, CURVES, 0), drawn)
        self.assert_silent()

    def test_fits_a_narrow_screen(self):
        page = self.reference("rates.json", "quick.json")
        self.browser.open(page, width=360, height=740)
        self.browser.run("for (const one of document.querySelectorAll('details')) one.open = true;")
        self.browser.settle()
        self.assertEqual(self.browser.run(TOO_WIDE), [])
        self.browser.run("for (const one of document.querySelectorAll('details')) one.open = false;")
        self.browser.settle()
        self.assert_drawn(self.browser.screenshot("narrow"))
        self.assert_silent()

    def test_charts_follow_the_window(self):
        self.browser.open(self.reference("rates.json"))
        wide = self.browser.run("return document.querySelector('#latency .uplot').clientWidth;")
        self.browser.devtools("Emulation.setDeviceMetricsOverride", width=500, height=800,
                              deviceScaleFactor=1, mobile=False)
        self.browser.settle()
        narrow = self.browser.run("return document.querySelector('#latency .uplot').clientWidth;")
        self.assertLess(narrow, 500)
        self.assertGreater(wide, 900)
        self.assertEqual(self.browser.run(TOO_WIDE), [])

    def test_prints_with_its_tables_open(self):
        self.browser.open(self.reference("rates.json", "quick.json"), dark=True)
        opened = self.browser.run("""
            window.dispatchEvent(new Event('beforeprint'));
            const open = [...document.querySelectorAll('details')].every((one) => one.open);
            window.dispatchEvent(new Event('afterprint'));
            return open && [...document.querySelectorAll('details')].every((one) => !one.open);""")
        self.assertTrue(opened)
        self.assertGreater(len(self.browser.pdf("print")), 100_000)
        self.browser.settle()
        self.assert_silent()

    def test_labels_with_markup_stay_text(self):
        path = os.path.join(self.directory.name, EVIL.replace("/", "") + ".json")
        with open(os.path.join(ARGUMENTS.reference, "rates.json"), encoding="utf-8") as file:
            text = file.read()
        quoted = json.dumps(EVIL.replace("/", "|"))[1:-1]
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("rows/mysql", f"rows/{quoted}").replace("target rate missed", quoted))
        title = self.browser.open(self.report(path)) or self.browser.run("return document.title;")
        self.assertIn("<script>", title)
        self.assertEqual(self.browser.run("return document.querySelectorAll('img').length;"), 0)
        self.assertEqual(self.browser.run("return document.scripts.length;"), 3)
        self.assertIn("<|script><img", self.browser.run(
            "return document.querySelector('#latency').textContent;"))
        self.assert_silent()

    def test_refuses_scripts_that_are_not_its_own(self):
        page = self.reference("storages.json")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        with open(page, "w", encoding="utf-8") as file:
            file.write(text.replace("</main>", "</main><script>document.title = 'broken into';</script>"))
        self.browser.open(page)
        self.assertNotEqual(self.browser.run("return document.title;"), "broken into")
        self.assertIn("Content Security Policy", " ".join(self.browser.log()))

    def rare(self, change):
        """A result file made of a reference run."""
        with open(os.path.join(ARGUMENTS.reference, "rates.json"), encoding="utf-8") as file:
            run = json.load(file)
        change(run)
        path = os.path.join(self.directory.name, "rare.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(run, file)
        return self.report(path)

    def test_draws_errors_layers_and_searches(self):
        def change(run):
            cells = run["dbdyno"]["cells"]
            cells[0]["errors"] = {"timeout": 30, "refused": 500, "disconnected": 12}
            cells[0]["refusals"] = {"1040": 500}
            cells[0]["reconnects"], cells[0]["downtime_s"] = 12, 0.25
            cells[1]["errors"] = {"wrong_reply": 1}
            row = next(row for row in run["benchmarks"] if row["name"] == cells[2]["name"])
            row["error_occurred"], row["error_message"] = True, "the server went away"
            run["dbdyno"]["partial"] = True
            some = {"mean_ns": 900, "low_ns": 700, "high_ns": 1100}
            noise = {"mean_ns": -90, "low_ns": -700, "high_ns": 520}
            for metric in ("time", "client_cpu"):
                run["dbdyno"].setdefault("layers", []).append({
                    "name": cells[1]["name"], "metric": metric,
                    "harness": some, "wire": some, "library": noise})
            run["dbdyno"]["searches"] = [{
                "name": cells[0]["name"], "limit": "p99=5ms", "knee": 4000,
                "steps": [{"rate": 4000, "figure_ns": 4e6, "kept": True}, {"rate": 8000, "kept": False}]}]

        self.browser.open(self.rare(change))
        self.assertEqual(self.browser.run(BLANK_CANVASES), 0)
        self.assertEqual(self.browser.run(CHARTS_WITHOUT_TABLE), [])
        text = self.browser.run(PAGE_TEXT)
        for words in ("The run ended before its plan did", "1040: 500", "the server went away",
                      "(below noise)", "p99=5ms", "8,000/s: –, not kept"):
            self.assertIn(words, text)
        self.browser.screenshot("rare", height=20000)
        self.assert_silent()

    def test_says_where_it_shows_only_some(self):
        def change(run):
            cells, rows = run["dbdyno"]["cells"], run["benchmarks"]
            row = next(row for row in rows if row["name"] == cells[0]["name"])
            for index in range(100, 140):
                rows.append({**row, "repetition_index": index})
                cells.append({**cells[0], "repetition": index, "verdict": {
                    "level": "suspect", "reasons": ["abcdefghijklmnopqrst"[index % 20]]}})

        self.browser.open(self.rare(change))
        self.assertRegex(self.browser.run("return document.querySelector('#verdicts').textContent;"),
                         r"The 12 most frequent of \d+; those of each cell are below")
        self.assertEqual(self.slide(8, "#series"), "closed loop")
        self.assertIn("drawn: 20 of 43", self.browser.run(
            "return document.querySelector('#series .legend').textContent;"))
        self.assertIn("all but 20 reasons and 20 error messages a cell", self.browser.run(
            "return document.querySelector('#summary').textContent;"))
        self.assert_silent()

    def test_shows_invalid_lines_last_and_hollow(self):
        def shown(level, driver):
            def change(run):
                for cell in run["dbdyno"]["cells"]:
                    cell["verdict"] = {"level": level if driver in cell["name"] else "valid", "reasons": []}

            self.browser.open(self.rare(change))
            self.slide(0)
            self.slide(0, "#series")
            self.browser.settle()
            return [(self.browser.run(CANVAS, f"{where} .uplot canvas", 0), self.browser.run(
                "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent);",
                f"{where} .legend button")) for where in ("#latency", "#series")]

        for (valid, names), (invalid, same), (_, others) in zip(
                shown("valid", "/text/"), shown("invalid", "/text/"), shown("invalid", "/binary/")):
            self.assertNotEqual(valid, invalid)
            self.assertIn("mysql/binary", names[0])
            self.assertIn("mysql/binary", same[0])
            self.assertIn("mysql/text", others[0])
            self.assertIn("invalid", others[1])
        self.assert_silent()

    def test_keeps_shares_and_rates_on_axes_of_their_own(self):
        def change(run):
            for each in [*run["benchmarks"], *run["dbdyno"]["cells"]]:
                for key in {"name", "run_name"} & each.keys():
                    each[key] = each[key].replace("rate:40%", "rate:4000").replace("rate:50%", "rate:5000")

        self.browser.open(self.rare(change))
        last = self.browser.run("""
            return [...document.querySelectorAll('#load .plot')].map((plot) => {
              plot.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
              return plot.parentElement.querySelector('.unseen').textContent.split(':')[0];
            });""")
        self.assertEqual(sorted(last), [*["rate 110\u00a0%"] * 2, *["rate 5,000"] * 2])
        self.assert_silent()

    def test_marks_medians_where_there_are_no_histograms(self):
        def change(run):
            for cell in run["dbdyno"]["cells"]:
                if "/binary/" in cell["name"]:
                    cell.pop("histograms", None)

        self.browser.open(self.rare(change))
        names = self.browser.run(
            "return [...document.querySelectorAll('#load .pair .chart:last-child .legend button')]"
            ".map((one) => one.textContent);")
        self.assertEqual([name.endswith("~ median of the repetitions") for name in names], [True, False])
        for name, p99 in self.browser.run("""
                return [...document.querySelectorAll('#load tbody tr')]
                  .map((row) => [row.cells[0].textContent, row.cells[3].textContent]);"""):
            self.assertEqual(p99.startswith("~"), "/binary/" in name)
        self.assert_silent()

    def test_says_of_the_machine_what_is_known(self):
        def top(change):
            self.browser.open(self.rare(lambda run: change(run["context"], run["dbdyno"]["machine"])))
            return self.browser.run("return document.querySelector('#summary').textContent;")

        def forget_count(context, machine):
            context["num_cpus"] = machine["cpu_count"] = 0

        def forget_model(_, machine):
            del machine["cpu_model"]

        whole = top(lambda context, machine: None)
        self.assertRegex(whole, r"\w, \d+ CPUs, virtual")
        self.assertNotRegex(top(forget_count), "undefined|CPUs")
        self.assertRegex(top(forget_model), r"· \d+ CPUs, virtual")

    def test_counts_tenths_where_windows_differ(self):
        def axis(change):
            self.browser.open(self.rare(change))
            self.browser.run("document.querySelector('#series .plot').focus();")
            self.browser.press("\ue014")  # right
            return self.browser.run("return document.querySelector('#series .axis-title').textContent;")

        def lengthen(run):
            for cell in run["dbdyno"]["cells"]:
                if "/binary/" in cell["name"]:
                    cell["window_s"] *= 10

        def forget(run):
            for cell in run["dbdyno"]["cells"]:
                cell.pop("window_s", None)

        self.assertRegex(axis(lambda run: None), r"at 0\.30 s$")
        self.assertRegex(axis(lengthen), "at the 2nd tenth of the window$")
        self.assertRegex(axis(forget), "at the 2nd tenth of the window$")
        self.assert_silent()

    def test_says_what_a_bare_file_lacks(self):
        def change(run):
            run["benchmarks"] = [row for row in run["benchmarks"] if row["run_type"] == "iteration"][:3]
            for i, row in enumerate(run["benchmarks"]):
                row.update(name=f"BM_sort/{8 << i}", run_name=f"BM_sort/{8 << i}", repetitions=1,
                           repetition_index=0)
                for key in [key for key in row if key.endswith("_ns") or key.endswith("_per_op")]:
                    del row[key]
            run["dbdyno"]["cells"] = []

        self.browser.open(self.rare(change))
        self.assertEqual(self.browser.run(BLANK_CANVASES), 0)
        text = self.browser.run(PAGE_TEXT)
        for words in ("No file sweeps", "No file has histograms", "No file has CPU times",
                      "No file has time series", "No request failed in 3 repetitions", "BM_sort/16"):
            self.assertIn(words, text)
        self.assert_silent()

    def test_draws_what_google_benchmark_wrote(self):
        for name in sorted(os.listdir(ARGUMENTS.foreign)):
            if not name.startswith("google-benchmark") or "aggregates" in name:
                continue
            with self.subTest(name):
                self.browser.open(self.report(os.path.join(ARGUMENTS.foreign, name)))
                self.assertGreater(self.browser.run(COUNT_CANVASES), 0)
                self.assertEqual(self.browser.run(BLANK_CANVASES), 0)
                top = self.browser.run("return document.querySelector('#summary').textContent;")
                self.assertIn("from google-benchmark", top)
                self.assertIn("left out, being NaN or infinite", top)
                # Not the page's text: that has the scripts' words, too.
                rates = "there an iteration counts as one operation"
                (self.assertIn if "1.5" in name else self.assertNotIn)(rates, top)
                self.assertIn("CPU time an iteration", self.browser.run(
                    "return document.querySelector('#figures').textContent;"))
                self.browser.screenshot("foreign")
                self.assert_silent()

    def test_draws_every_reference_run(self):
        for name in sorted(os.listdir(ARGUMENTS.reference)):
            if not name.endswith(".json"):
                continue
            with self.subTest(name):
                self.browser.open(self.reference(name))
                self.assertEqual(self.browser.run(BLANK_CANVASES), 0)
                self.assert_silent()


def main():
    global ARGUMENTS
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", required=True, help="the program dbdyno-report")
    parser.add_argument("--reference", required=True, help="a directory with result files")
    parser.add_argument("--foreign", required=True, help="a directory with files of Google Benchmark's")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--chromedriver", default="chromedriver")
    parser.add_argument("--screenshots", help="a directory for pictures of the pages")
    ARGUMENTS, others = parser.parse_known_args()
    for program in (ARGUMENTS.chromium, ARGUMENTS.chromedriver):
        if shutil.which(program) is None:
            sys.exit(f"{program} is not installed; run scripts/setup --test")
    unittest.main(argv=[sys.argv[0], *others])


if __name__ == "__main__":
    main()
