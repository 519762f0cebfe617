# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The HTML report in a real browser: what is pressed and typed, in the dark, on a phone, large, and under attack."""

import sys
from contextlib import suppress
from pathlib import Path

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

sys.path.append(str(Path(__file__).parent))
from reports import everything, hostile, large

from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.html import as_html
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.view import view_of

PHONE = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
ENOUGH = 4.5
"""The least contrast of text (WCAG 2.2, success criterion 1.4.3)."""

# The contrast of each piece of text with what is behind it, where that is too little.
LOW_CONTRAST = """
const parsed = (color) => color.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => {
  const part = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
};
const behind = (element) => {
  for (let one = element; one; one = one.parentElement) {
    const color = parsed(getComputedStyle(one).backgroundColor);
    if (color.length === 3 || color[3] > 0) return color;
  }
  return [255, 255, 255];
};
const low = [];
for (const element of document.querySelectorAll("body *")) {
  const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!text || !element.checkVisibility() || element.localName === "script") continue;
  const [one, other] = [light(parsed(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
  const contrast = (one + 0.05) / (other + 0.05);
  if (contrast < arguments[0]) low.push(`${element.className} ${element.textContent.slice(0, 30)}: ${contrast}`);
}
return low;
"""


def shown(browser):
    """The zones that can be seen, in order."""
    names = (
        "return [...document.querySelectorAll('.zone')].filter((zone) => zone.checkVisibility())"
    )
    return browser.execute_script(f"{names}.map((zone) => zone.querySelector('.name').textContent)")


def field(browser):
    return browser.find_element(By.ID, "filter")


def press(browser, *keys):
    ActionChains(browser).send_keys(*keys).perform()


def count(browser, state):
    return browser.find_element(By.CSS_SELECTOR, f".count[data-state={state}]")


ALL = ["example.edu", "example.org", "example.com", "example.info", "example.net"]
ALL += ["quiet0.example", "quiet1.example", "quiet2.example"]

FILTERS = {
    "whatever the case": ("EXAMPLE.C", ["example.com"]),
    "every word in any order": ("would 192.0.2.11 ftp", ["example.com"]),
    "a value": ("192.0.2.11", ["example.com", "example.info"]),
    "a rule of a finding": ("spf-lookups", ["example.net"]),
    "nothing": ("nowhere", []),
    "spaces": ("   ", ALL),
}


@pytest.mark.parametrize("typed, zones", FILTERS.values(), ids=FILTERS)
def test_the_field_filters_zones(opened, typed, zones):
    browser = opened(everything())
    assert shown(browser) == ALL
    field(browser).send_keys(typed)
    assert shown(browser) == zones
    status = browser.find_element(By.ID, "showing").text
    assert status == ("8 zones" if zones == ALL else f"{len(zones)} of 8 zones")
    assert browser.find_element(By.ID, "none").is_displayed() == (not zones)
    press(browser, Keys.ESCAPE)
    assert shown(browser) == ALL


@pytest.mark.parametrize(
    "state, label, zones",
    [
        ("failed", "2 Failed", ALL[:2]),
        ("would_change", "2 Would change", ALL[2:4]),
    ],
)
def test_a_count_that_is_pressed_shows_its_zones(opened, state, label, zones):
    browser = opened(everything())
    button = count(browser, state)
    assert button.text == label
    button.click()
    assert shown(browser) == zones
    assert button.get_attribute("aria-pressed") == "true"
    field(browser).send_keys("example.")
    assert shown(browser) == [zone for zone in zones if "example." in zone]
    button.click()
    assert count(browser, "all").get_attribute("aria-pressed") == "true"


def test_the_keyboard_is_enough(opened):
    browser = opened(everything())
    press(browser, "/", "example.com/")
    assert field(browser).get_attribute("value") == "example.com/"
    press(browser, Keys.ESCAPE, "example.com")
    reached = []
    for _step in range(3):
        press(browser, Keys.TAB)
        focused = browser.switch_to.active_element
        reached.append(focused.tag_name)
        assert focused.value_of_css_property("outline-style") == "solid"
        assert focused.value_of_css_property("outline-width") == "3px"
    assert reached == ["button", "summary", "pre"]
    zone = browser.find_element(By.CSS_SELECTOR, ".zone:not([hidden])")
    assert zone.get_attribute("open")
    browser.execute_script("arguments[0].firstElementChild.focus()", zone)
    press(browser, Keys.ENTER)
    assert not zone.get_attribute("open")
    press(browser, Keys.SPACE)
    assert zone.get_attribute("open")


def test_all_are_opened_and_closed_at_once_and_for_paper(opened):
    browser = opened(large(30))
    opened_now = "return document.querySelectorAll('details[open]').length"
    assert browser.execute_script(opened_now) == 1
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert browser.execute_script(opened_now) == 30
    browser.execute_script("window.dispatchEvent(new Event('afterprint'))")
    assert browser.execute_script(opened_now) == 1
    toggle = browser.find_element(By.ID, "toggle")
    assert toggle.text == "Expand all"
    toggle.click()
    assert (toggle.text, browser.execute_script(opened_now)) == ("Collapse all", 30)
    toggle.click()
    assert browser.execute_script(opened_now) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark(browser, opened, scheme):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    opened(everything())
    background = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, background[4:-1].split(","))) < 128) == (scheme == "dark")
    browser.execute_script(
        "document.querySelectorAll('details').forEach((one) => { one.open = true })"
    )
    assert browser.execute_script(LOW_CONTRAST, ENOUGH) == []
    assert browser.execute_script(LOW_CONTRAST, 22)  # it does measure


def test_a_phone_needs_no_scrolling_sideways(browser, opened):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    for report in (everything(), hostile()):
        opened(report)
        browser.execute_script(
            "document.querySelectorAll('details').forEach((one) => { one.open = true })"
        )
        assert (
            browser.execute_script("return document.documentElement.scrollWidth") == PHONE["width"]
        )
    opened(everything())
    for element in browser.find_elements(By.CSS_SELECTOR, "button, input, .zone"):
        assert element.size["height"] >= 24  # WCAG 2.2, success criterion 2.5.8
        assert element.rect["x"] + element.rect["width"] <= PHONE["width"] - 12  # the margin
    field(browser).send_keys("example.com")
    assert shown(browser) == ["example.com"]


def test_zones_that_nobody_touched_are_folded_below_the_others(opened):
    browser = opened(everything())
    folded = browser.find_element(By.CSS_SELECTOR, "details.untouched")
    assert folded.text == "59 zones were not touched, because others in the same task failed."
    zones = browser.find_elements(By.CSS_SELECTOR, ".zone")
    assert folded.rect["y"] > max(zone.rect["y"] for zone in zones)
    folded.find_element(By.TAG_NAME, "summary").click()
    shown_zones = [zone for zone in folded.find_elements(By.TAG_NAME, "li") if zone.is_displayed()]
    assert len(shown_zones) == 59
    folded.find_element(By.TAG_NAME, "summary").click()
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert folded.get_attribute("open")


def controls(browser, role):
    """What a screen reader is told of: the names of all that has a role."""
    tree = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [
        node.get("name", {}).get("value", "")
        for node in tree
        if not node["ignored"] and node["role"]["value"] == role
    ]


def test_every_control_has_a_name(opened):
    browser = opened(everything())
    # A zone has no role before the browser has found that it is in sight.
    with suppress(TimeoutException):
        WebDriverWait(browser, 20).until(
            lambda _: len(controls(browser, "DisclosureTriangle")) == 6
        )
    assert controls(browser, "searchbox") == ["Filter"]
    buttons = ["8 All", "2 Failed", "2 Would change", "4 Unchanged", "Collapse all"]
    assert controls(browser, "button") == buttons
    assert controls(browser, "heading") == ["DNS report", "Of no zone in particular", "Zones"]
    triangles = controls(browser, "DisclosureTriangle")
    assert len(triangles) == 6
    assert all(triangles)
    assert browser.execute_script("return document.documentElement.lang") == "en"


def test_without_script_everything_is_there(browser, opened):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    opened(everything())
    names = [name.text for name in browser.find_elements(By.CSS_SELECTOR, ".zone .name")]
    assert names == ALL
    assert not field(browser).is_displayed()


def test_five_hundred_zones_with_ten_thousand_changes_stay_usable(opened):
    browser = opened(large())
    # Until it has been drawn again; a bound that only a page which hangs can miss.
    typed = """
    const [text, done] = arguments, field = document.getElementById("filter"), began = performance.now();
    field.value = text;
    field.dispatchEvent(new Event("input"));
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    """
    took = [
        browser.execute_async_script(typed, text)
        for text in ("h", "host1", "host19.zone4", "zone123", "")
    ]
    print(f"ms for each filter: {[round(each) for each in took]}")
    assert max(took) < 2000
    field(browser).send_keys("host7.zone123.")
    assert shown(browser) == ["zone123.example"]
    count(browser, "failed").click()
    assert shown(browser) == []
    field(browser).send_keys(Keys.ESCAPE)
    assert len(shown(browser)) == 10
    browser.find_element(By.ID, "toggle").click()
    assert (
        browser.execute_script("return document.querySelectorAll('pre span').length")
        == 500 * 20 * 2
    )


EXECUTED = "return [window.pwned ?? null, document.title, performance.getEntriesByType('resource').length, location.href]"


def test_nothing_that_a_zone_holds_is_executed_or_loaded(opened):
    browser = opened(hostile())
    address = browser.current_url
    browser.find_element(By.ID, "toggle").click()
    for element in browser.find_elements(By.CSS_SELECTOR, "summary, .part")[:20]:
        ActionChains(browser).move_to_element(element).perform()
    field(browser).send_keys("pwned")
    title = "DNS report: 16 failed (8 without a zone), 8 not touched, 0 changed, 0 unchanged"
    assert browser.execute_script(EXECUTED) == [None, title, 0, address]
    assert browser.get_log("browser") == []
    kinds = "return [...new Set([...document.body.querySelectorAll('*')].map((one) => one.localName))].sort()"
    expected = browser.execute_script(kinds)
    assert not {"iframe", "img", "a", "form", "svg", "link", "meta", "style"} & set(expected)
    assert browser.execute_script("return document.scripts.length") == 1
    attributes = "[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes])"
    handlers = f"return {attributes}.filter((one) => one.name.startsWith('on')).length"
    assert browser.execute_script(handlers) == 0


def test_what_would_get_into_the_page_all_the_same_is_stopped_by_its_policy(opened):
    """The second line of defence: the page with the attacks as they are, which escaping otherwise takes care of."""
    attack = "<script>window.pwned = 1</script><img src=x onerror='window.pwned = 2'><b style='color: red'>x</b>"
    browser = opened(as_html(view_of(everything())).replace("<main>", f"<main>{attack}"))
    assert browser.execute_script("return window.pwned ?? null") is None
    console = " ".join(entry["message"] for entry in browser.get_log("browser"))
    assert console.count("Content Security Policy") >= 3
    assert len(shown(browser)) == 8
    field(browser).send_keys("quiet1")
    assert shown(browser) == ["quiet1.example"]
