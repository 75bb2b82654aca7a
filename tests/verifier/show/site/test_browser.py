"""The site in headless Chromium, from disk: no error, no request, search, keyboard, and a phone's width. Skipped where there is none."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.show.site.sites import tables_site

selenium = pytest.importorskip("selenium", reason="selenium is not installed (extra test)")
from selenium import webdriver  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (BROWSER and DRIVER), reason="no chromium or chromedriver on this machine")

PAPER = "every-bit-counts"
KINDS = (
    "index.html",
    "search.html",
    "glossary.html",
    "trust.html",
    "docs/index.html",
    "docs/format.html",
    "docs/python.html",
    f"{PAPER}/index.html",
    f"{PAPER}/findings/table-6-constants.html",
    f"{PAPER}/traces/table-6-constants.html",
    f"{PAPER}/tables/table-6.html",
    f"{PAPER}/tables/table-7.html",
    f"{PAPER}/tables/table-8.html",
    f"{PAPER}/statements/index.html",
    f"{PAPER}/statements/lemma-2.6.html",
    f"{PAPER}/graph.html",
)


FEW = ("index.html", "search.html", "docs/format.html", f"{PAPER}/findings/table-6-constants.html", f"{PAPER}/graph.html")
"""Of each kind of page one: text, a table that is filtered, documentation, a finding, and a drawing. The others are campaign."""
OTHERS = [page for page in KINDS if page not in FEW]
LONG = [*OTHERS, f"{PAPER}/graph.html"]
"""And pages of many elements, each of which every rule of accessibility asks."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for name, text in tables_site().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=webdriver.ChromeService(DRIVER), options=options)
    driver.set_script_timeout(300)
    yield driver
    driver.quit()


def _open(browser: Any, site: Path, page: str, width: int = 1280, dark: bool = False) -> None:
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    browser.get(f"file://{site / page}")


@pytest.mark.long(*OTHERS)
@pytest.mark.parametrize("page", KINDS)
def test_a_page_opens_without_an_error_a_request_or_an_overflow(browser: Any, site: Path, page: str) -> None:
    browser.get_log("browser"), browser.get_log("performance")
    plates = []
    for width, dark in ((1280, False), (360, True)):
        _open(browser, site, page, width, dark)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        drawn = "return [...document.querySelectorAll('figure')].every(f => f.scrollWidth <= f.clientWidth)"
        assert width > 360 or browser.execute_script(drawn)
        plates.append(browser.execute_script("return getComputedStyle(document.body).backgroundColor"))
    assert plates[0] != plates[1]
    assert browser.get_log("browser") == []
    sent = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in sent if m["method"] == "Network.requestWillBeSent"]
    assert asked
    assert [url for url in asked if not url.startswith(("file://", "data:"))] == []
    assert browser.execute_script("return performance.getEntriesByType('navigation')[0].domComplete") < 5000


@pytest.mark.long(*LONG)
@pytest.mark.parametrize("page", KINDS)
def test_no_page_breaks_a_rule_of_accessibility(browser: Any, site: Path, page: str) -> None:
    axe = pytest.importorskip("axe_core_python", reason="axe-core is not installed (extra test)")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    _open(browser, site, page)
    browser.execute_script(script)
    asked = "axe.run().then(r => arguments[0](r.violations.map(v => [v.id, v.nodes[0].html])))"
    assert browser.execute_async_script(asked) == []


def test_table_6_is_found_first_and_a_slash_leads_to_the_search(browser: Any, site: Path) -> None:
    _open(browser, site, f"{PAPER}/index.html")
    browser.find_element(By.TAG_NAME, "body").send_keys("/")
    assert browser.current_url.endswith("search.html")
    browser.find_element(By.TAG_NAME, "body").send_keys("/")
    browser.switch_to.active_element.send_keys("table 6")
    first = browser.find_element(By.CSS_SELECTOR, "#claims tbody tr")
    assert "table 6" in first.text.lower().replace("-", " ")


def test_an_address_may_ask_the_search(browser: Any, site: Path) -> None:
    _open(browser, site, "search.html?q=table+6")
    assert browser.find_element(By.ID, "words").get_attribute("value") == "table 6"
    assert "table 6" in browser.find_element(By.CSS_SELECTOR, "#claims tbody tr").text.lower().replace("-", " ")


def test_the_search_finds_and_filters(browser: Any, site: Path) -> None:
    _open(browser, site, "search.html")

    def count() -> int:
        return int(browser.find_element(By.ID, "count").text.split()[0])

    every = count()
    words = browser.find_element(By.ID, "words")
    words.send_keys("table 6")
    some = count()
    assert 0 < some < every
    assert len(browser.find_elements(By.CSS_SELECTOR, "#claims tbody tr")) == min(some, 100)
    Select(browser.find_element(By.ID, "status")).select_by_visible_text("false")
    assert 0 < count() < some
    words.send_keys("no such claim at all")
    assert count() == 0


def test_the_keyboard_reaches_the_content_the_tokens_and_the_graph(browser: Any, site: Path) -> None:
    _open(browser, site, f"{PAPER}/traces/table-6-constants.html")
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    assert browser.switch_to.active_element.get_attribute("class") == "skip"
    assert browser.find_element(By.CSS_SELECTOR, "tr.now").get_attribute("class").split()[0] == "departs"
    slider = browser.find_element(By.ID, "token")
    before = browser.find_element(By.ID, "now").text
    slider.send_keys(Keys.ARROW_RIGHT)
    assert browser.find_element(By.ID, "now").text != before

    _open(browser, site, f"{PAPER}/graph.html")
    theorem = browser.find_element(By.CSS_SELECTOR, ".node[data-name='theorem-2.4']")
    browser.execute_script("arguments[0].focus()", theorem)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    inside = {n.get_attribute("data-name") for n in browser.find_elements(By.CSS_SELECTOR, ".node.in")}
    assert {"theorem-2.4", "lemma-2.5", "lemma-2.6"} <= inside
    assert "theorem-c.2" not in inside
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
    assert browser.find_elements(By.CSS_SELECTOR, ".node.in") == []


def test_the_graph_opens_on_the_statement_of_its_address_and_tells_it(browser: Any, site: Path) -> None:
    _open(browser, site, f"{PAPER}/graph.html#theorem-2.4")
    assert browser.find_element(By.CSS_SELECTOR, ".node.the").get_attribute("data-name") == "theorem-2.4"
    assert "one head and p bits computes" in browser.find_element(By.ID, "chosen").text
    browser.execute_script("location.hash = '#lemma-2.6'")
    assert browser.find_element(By.CSS_SELECTOR, ".node.the").get_attribute("data-name") == "lemma-2.6"


def test_a_name_of_the_command_line_is_found_first(browser: Any, site: Path) -> None:
    _open(browser, site, "search.html")
    browser.find_element(By.ID, "words").send_keys("lemma-2.6:table-6")
    link = browser.find_element(By.CSS_SELECTOR, "#claims tbody tr a")
    assert link.get_attribute("href").endswith("lemma-2.6.html#table-6")


def test_a_word_of_the_documentation_is_found_and_shown_where_it_stands(browser: Any, site: Path) -> None:
    _open(browser, site, "search.html")
    browser.find_element(By.ID, "words").send_keys("junit")
    found = browser.find_elements(By.CSS_SELECTOR, "#claims tbody tr")
    (row, *_) = [row for row in found if "docs/your-own-ci.html" in row.find_element(By.TAG_NAME, "a").get_attribute("href")]
    assert "junit" in row.text.lower()
