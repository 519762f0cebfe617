# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real browser, Debian's chromium, and reports to open in it. Without one all of this is skipped."""

import shutil
import time
from collections.abc import Callable

import pytest
from selenium import webdriver

from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.html import as_html
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.model import Report
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.view import view_of

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--window-size=1200,900",
)

Open = Callable[[Report | str], webdriver.Chrome]


@pytest.fixture(scope="session")
def _running():
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if not browser or not driver:
        pytest.skip("There is no browser: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for option in OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    running = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield running
    running.quit()


@pytest.fixture
def browser(_running):
    """The browser, on a large screen and in a light room."""
    _running.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    _running.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    _running.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    _running.get_log("browser")
    return _running


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a report, or a page as text, in the browser."""

    def opened(page):
        file = tmp_path / f"{time.monotonic_ns()}.html"
        file.write_text(page if isinstance(page, str) else as_html(view_of(page)), encoding="utf-8")
        browser.get(file.as_uri())
        return browser

    return opened
