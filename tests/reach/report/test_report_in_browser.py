"""The HTML report as a person has it before them: in a browser, in light and dark, on a phone, without the script."""

import importlib.util
import shutil

import pytest
import report_samples as samples

from sluicegate.reach.report.formats import render

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(
    BROWSER is None or importlib.util.find_spec("axe_playwright_python") is None,
    reason="no browser: `make browser` installs Chromium and what drives it",
)

VIEWS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1100, "height": 900}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1100, "height": 900}},
    "phone": {"color_scheme": "light", "viewport": {"width": 390, "height": 800}},
}
REPORTS = {**samples.ALL, "hostile": lambda: samples.hostile(lambda: "<b>\u202ex</b> " + "y" * 60)}


@pytest.fixture(scope="module")
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium, tmp_path):
    """Open a report in a context of its own; gives the page and what its console says."""
    contexts = []

    def open_(html, **options):
        file = tmp_path / f"report-{len(contexts)}.html"
        file.write_text(html, encoding="utf-8")
        context = chromium.new_context(**options)
        contexts.append(context)
        page, said = context.new_page(), []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(file.as_uri())
        return page, said

    yield open_
    for context in contexts:
        context.close()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", REPORTS)
def test_everyone_can_read_it(opened, name, view):
    from axe_playwright_python.sync_playwright import Axe

    page, said = opened(render(REPORTS[name](), "html"), bypass_csp=True, **VIEWS[view])
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    assert said == []
    assert page.evaluate("document.documentElement.scrollWidth") <= VIEWS[view]["viewport"]["width"]


def test_the_policy_lets_our_script_run_and_no_other(opened):
    html = render(samples.many(), "html")
    page, said = opened(html)
    assert said == []
    assert page.locator("form.controls").count() == 1
    foreign = "<script>document.title='owned'</script><img src='x' onerror=\"document.title='owned'\">"
    page, said = opened(html.replace("<main>", f"<main>{foreign}"))
    assert page.title() != "owned"
    assert len([line for line in said if "Content Security Policy" in line]) >= 2


def test_without_script_everything_is_there_and_safe_skills_are_folded(opened):
    page, _ = opened(render(samples.many(), "html"), java_script_enabled=False)
    assert page.locator("form").count() == 0
    assert page.locator(".index tbody tr:visible").count() == 2
    assert page.get_by_text("7 safe skills").is_visible()
    assert not page.get_by_text("brand-voice").first.is_visible()
    page.locator("#safe > summary").click()
    assert page.get_by_text("brand-voice").first.is_visible()


def test_the_filter_shows_what_was_chosen(opened):
    page, _ = opened(render(samples.many(), "html"))
    decision, rule = page.get_by_label("Decision"), page.get_by_label("Rule")
    decision.select_option("caution")
    assert page.locator(".skill:visible").count() == 1
    assert page.locator(".index tbody tr:visible").count() == 1
    assert page.get_by_role("status").inner_text() == "1 of 9 skills shown"
    decision.select_option("")
    rule.select_option("pipe-to-shell")
    assert page.locator(".skill:visible").get_attribute("id") == "skill-1"
    assert page.locator(".card:visible").count() == 1
    rule.select_option("")
    decision.select_option("safe")
    assert page.locator(".one:visible").count() == 7
    decision.select_option("")
    assert page.locator(".index tbody tr:visible").count() == 2


def test_a_button_copies_the_command_that_accepts_a_finding(opened):
    page, _ = opened(render(samples.bad(), "html"), permissions=["clipboard-read", "clipboard-write"])
    page.get_by_text("Accept this finding").first.click()
    command = page.locator(".command").first.inner_text()
    assert command.startswith("sluicegate baseline pdf-helper --only ")
    button = page.locator(".copy").first
    button.click()
    button.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == command


def test_print_opens_everything_and_leaves_out_what_can_only_be_clicked(opened):
    page, _ = opened(render(samples.many(), "html"))
    page.emulate_media(media="print")
    assert page.get_by_text("brand-voice").first.is_visible()
    for selector in (".controls", ".accept", ".copy"):
        assert page.locator(f"{selector}:visible").count() == 0
