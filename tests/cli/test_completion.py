"""What `tidings completion` offers; real shells complete with it in tests/deploy."""

from tests.support.commands import run


def offered(*words: str) -> list[str]:
    """What is offered after these words, of which the last is not complete."""
    done = run(
        env={
            "_TIDINGS_COMPLETE": "complete_bash",
            "COMP_WORDS": " ".join(["tidings", *words]),
            "COMP_CWORD": str(len(words)),
        }
    )
    return done.good().split()


def test_a_group_that_lists_offers_its_commands_and_the_options_of_the_list() -> None:
    assert offered("messages", "") == ["list", "show"]
    assert {"--status", "--limit", "--help"} <= set(offered("messages", "--"))
    assert offered("messages", "--status", "failed", "--un") == ["--until"]


def test_another_shell_is_refused() -> None:
    done = run("completion", "tcsh")
    assert done.code == 2 and "'bash', 'zsh', 'fish'" in done.err
