"""How long pages of a site take to load from disk, in headless Chromium: ``python benchmarks/page_load.py SITE [PAGE …]``.

Prints for each page its size and the median over five loads, in milliseconds, until everything on it is there (domComplete); for the
search page also until the claims are listed. Needs selenium, chromium and chromedriver.
"""

from __future__ import annotations

import shutil
import statistics
import sys
from pathlib import Path

from selenium import webdriver

PAGES = ("index.html", "search.html")
LOADS = 5
COMPLETE = "return performance.getEntriesByType('navigation')[0].domComplete"
LISTED = "return document.querySelectorAll('#claims tbody tr').length ? performance.now() : null"


def main(site: Path, pages: list[str]) -> None:
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(word)
    browser = webdriver.Chrome(service=webdriver.ChromeService(shutil.which("chromedriver")), options=options)
    try:
        for page in pages or [*PAGES, *(str(each.relative_to(site)) for each in sorted(site.glob("*/index.html")))]:
            took = []
            for _ in range(LOADS):
                browser.get((site / page).resolve().as_uri())
                listed = browser.execute_script(LISTED)
                took.append(max(float(browser.execute_script(COMPLETE)), float(listed or 0) if page == "search.html" else 0.0))
            size = (site / page).stat().st_size
            print(f"{page:50} {size / 1024:8.0f} KB {statistics.median(took):8.0f} ms, at most {max(took):.0f} ms")
    finally:
        browser.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
