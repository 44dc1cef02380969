"""Templates compiled once are kept, and where they cannot be, pages are made all the same."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from tidings.portal import compiled, render


def environment(folder: Path, **options: object) -> Environment:
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        bytecode_cache=compiled.cache_for(folder, options),
    )


def make_folder(at: Path) -> Path:
    (at / "__pycache__").mkdir(parents=True)
    (at / "page.html").write_text("Hello {{ name }}")
    return at


def rendered(made: Environment) -> str:
    return made.get_template("page.html").render(name="<Dana>")


def kept(folder: Path) -> set[str]:
    return {path.name for path in (folder / "__pycache__").iterdir()}


def test_a_template_is_compiled_once_and_again_when_it_or_its_options_change(
    tmp_path: Path,
) -> None:
    folder = make_folder(tmp_path)
    assert rendered(environment(folder)) == "Hello &lt;Dana&gt;"
    (first,) = kept(folder)
    assert rendered(environment(folder)) == "Hello &lt;Dana&gt;"
    assert kept(folder) == {first}
    assert rendered(environment(folder, trim_blocks=True)) == "Hello &lt;Dana&gt;"
    assert len(kept(folder)) == 2
    (folder / "page.html").write_text("Shalom {{ name }}")
    assert rendered(environment(folder)) == "Shalom &lt;Dana&gt;"


def test_a_folder_that_takes_no_files_costs_no_page(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    (folder / "__pycache__").rmdir()
    assert rendered(environment(folder)) == "Hello &lt;Dana&gt;"


def test_all_templates_of_all_languages_are_prepared() -> None:
    render.prepare()
    for language in ("en", "he"):
        made = render.environment(language)
        assert made.cache is not None
        assert len(made.cache) == len(made.list_templates(extensions=["html"]))
