"""The TypeScript client as a caller installs it: packed, typed, and as its README says."""

import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.deploy.first_minutes import clone_into
from tests.support.service import TestService
from tests.support.typescript_client import PACKAGE, built_client, demo_account, needs_npm, run
from tests.test_docs import read_blocks

pytestmark = needs_npm

# Somebody answers the invitation, so that the README's receiver gets an event to verify.
GUEST_ANSWERS = """
import type { AddressInfo } from "node:net";
if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
await client.events.create({
  eventId: "readme", eventDate: "2035-06-01T18:00:00Z",
  callbackUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  texts: { invalidReply: "?", nudge: "?", expired: "?" },
});
const invited = { to: guest, kind: "invitation", eventId: "readme" } as const;
await client.messages.sendText({ ...invited, templateName: "invite", templateParams: ["a", "b"] });
await client.sandbox.reply({ from: guest, text: "yes" });
for (let done = false; !done; ) {
  for await (const entry of client.webhooks.events({ wait: 1 })) {
    done ||= entry.type === "guest.confirmed" && entry.status !== "queued";
  }
}
server.close();
server.closeAllConnections();
"""
COMPILER = {"target": "es2022", "module": "nodenext", "strict": True}


@pytest.fixture(scope="module")
def tarball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packed from a clean copy, so that it is built on the way, as before it is published."""
    folder = tmp_path_factory.mktemp("packed") / "typescript"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("node_modules", "dist"))
    (folder / "node_modules").symlink_to(built_client() / "node_modules")
    run(folder, "npm", "pack")
    (packed,) = folder.glob("*.tgz")
    return packed


@pytest.fixture
def project(tarball: Path, tmp_path: Path) -> Path:
    """A caller's project: the client from its tarball, and a compiler."""
    (tmp_path / "package.json").write_text('{"type": "module", "private": true}')
    run(tmp_path, "npm", "install", "--offline", "--no-audit", "--no-fund", tarball)
    for name in ("typescript", "@types", "undici-types"):
        (tmp_path / "node_modules" / name).symlink_to(PACKAGE / "node_modules" / name)
    return tmp_path


def test_the_package_has_the_client_its_types_and_nothing_else(tarball: Path) -> None:
    with tarfile.open(tarball) as packed:
        names = {name.removeprefix("package/") for name in packed.getnames()}
    assert {"README.md", "CHANGELOG.md", "package.json"} <= names
    rest = {name for name in names if not name.startswith("dist/")}
    assert rest == {"README.md", "CHANGELOG.md", "package.json"}
    assert {"dist/index.js", "dist/index.d.ts", "dist/generated/api.d.ts"} <= names


def test_the_version_is_the_same_everywhere(project: Path) -> None:
    declared = json.loads((PACKAGE / "package.json").read_text())["version"]
    program = 'import { VERSION } from "@tidings/client"; console.log(VERSION)'
    said = run(project, "node", "--input-type=module", "-e", program)
    assert said.strip() == declared
    assert f"## {declared}" in (PACKAGE / "CHANGELOG.md").read_text()


@pytest.mark.parametrize(
    "types", [{"lib": ["es2022", "dom"], "types": []}, {"lib": ["es2022"], "types": ["node"]}]
)
def test_its_types_need_no_more_than_a_project_has(project: Path, types: dict[str, object]) -> None:
    """Those of browsers or those of Node."""
    program = 'import { Tidings } from "@tidings/client";\nexport const client = new Tidings();\n'
    compile_program(project, program, **types)


def test_the_programs_of_the_readme_work(service: TestService, project: Path) -> None:
    page = (PACKAGE / "README.md").read_text()
    blocks = re.findall(r"^```ts\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    program = "\n".join(blocks).replace("server.listen(3000)", "server.listen(0)")
    compile_program(project, program + GUEST_ANSWERS, lib=["es2022"], types=["node"])
    environment = os.environ | demo_account(service, project)
    said = run(project, "node", "program.js", env=environment).splitlines()
    assert re.fullmatch(r"sent [0-9a-f-]{36}", said[0]), said
    assert said[1] == "sent 1", "the dry run"
    assert "to" in said, "the field of the error"
    assert any(line.startswith("INVALID_PHONE Give the number") for line in said), said
    assert "coming: 1" in said
    assert any("in: Thank you!" in line for line in said)


def compile_program(project: Path, program: str, **options: object) -> None:
    (project / "program.ts").write_text(program)
    settings = {"compilerOptions": COMPILER | options, "files": ["program.ts"]}
    (project / "tsconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(
        ["node", "node_modules/typescript/bin/tsc"],
        cwd=project, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_the_quick_start_installs_it_from_a_fresh_clone(tmp_path: Path) -> None:
    clone = clone_into(tmp_path)
    page = (clone / "docs" / "quick-start.md").read_text()
    (block,) = [one.text for one in read_blocks(page) if "npm install" in one.text]
    for command in block.splitlines():
        run(clone, *command.split())
    program = 'import { Tidings } from "@tidings/client"; console.log(typeof Tidings);'
    assert run(clone, "node", "--input-type=module", "-e", program) == "function\n"
