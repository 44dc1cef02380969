"""What of a page keeps somebody out: what axe finds, and what must hold of every page.

faults_of(page, page.goto("/portal/keys"), LOOKS["english"])
"""

from dataclasses import dataclass
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Response


@dataclass(frozen=True)
class Look:
    """How a page is looked at."""

    language: str
    width: int
    scheme: str

    @property
    def options(self) -> dict[str, Any]:
        """Of a browser's context."""
        viewport = {"width": self.width, "height": 900}
        return {"locale": self.language, "viewport": viewport, "color_scheme": self.scheme}


# Together they see each language, direction, width and scheme; four looks would see the same twice.
LOOKS = {"english": Look("en", 1280, "light"), "hebrew": Look("he", 390, "dark")}

# One question to the browser instead of seven: most of a check was waiting for its answers.
ASK = """async (language) => {
  const shown = (what) => [...document.querySelectorAll(what)].filter((e) => e.checkVisibility());
  const found = [];
  const { lang } = document.documentElement;
  if (lang !== language) found.push(`in the language ${lang}`);
  if (shown("h1").length !== 1) found.push("not one h1");
  if (shown("main").length !== 1 || !shown("nav").length) found.push("landmarks are missing");
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push("wider than the window");
  const { violations } = await axe.run({ resultTypes: ["violations"], preload: false });
  for (const one of violations) found.push(`${one.id} at ${one.nodes[0].target[0]} (${one.help})`);
  return found;
}"""


def prepare(page: Page) -> None:
    """Have axe in every document that the page will open."""
    page.add_init_script(Axe().axe_script)


def faults_of(page: Page, answer: Response | None, look: Look) -> list[str]:
    status = answer.status if answer else 0
    found = [] if status == 200 else [f"status {status}"]
    faults: list[str] = page.evaluate(ASK, look.language)
    return found + faults
