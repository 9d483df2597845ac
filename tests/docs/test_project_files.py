"""The files that a project is expected to have are here, and agree with the package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import gridwise

ROOT = Path(__file__).parents[2]
METADATA = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GITHUB = ROOT / ".github"
# The first versions without a known hole in what reads requests, and what was mended last.
SAFE = {
    "h11": "0.16",  # CVE-2025-43859: chunks that end in anything
    "jinja2": "3.1.6",  # CVE-2025-27516: out of the sandbox
    "python-multipart": "0.0.31",  # CVE-2026-53539 and -53540: forms that cost time and memory
    "starlette": "1.3.1",  # CVE-2026-54283: forms without limits
}
ISSUE_FORMS = sorted(path.name for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.md"))


def text(name: str) -> str:
    """A file at the root of the project."""
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_licence_is_the_one_the_metadata_names() -> None:
    """MIT, in the text, in the metadata and in the citation; the holders are the authors."""
    licence = text("LICENSE")
    (author,) = METADATA["authors"]
    assert licence.startswith(f"{METADATA['license']} License\n")
    assert re.search(rf"^Copyright \(c\) \d{{4}} {author['name']}$", licence, re.MULTILINE)
    assert METADATA["license-files"] == ["LICENSE"]


def test_the_citation_is_of_this_version() -> None:
    """CITATION.cff is YAML with what the format asks for, and follows the package."""
    citation = yaml.safe_load(text("CITATION.cff"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["message"]
    assert citation["title"].lower() == METADATA["name"]
    assert str(citation["version"]) == gridwise.__version__
    assert citation["license"] == METADATA["license"]
    assert citation["authors"] == METADATA["authors"]


def test_there_is_a_way_to_report_a_security_problem() -> None:
    """SECURITY.md says how, and the form for bugs leads there."""
    assert "## Reporting a problem" in text("SECURITY.md")
    assert "SECURITY.md" in text(".github/ISSUE_TEMPLATE/bug_report.md")


def test_there_are_templates_for_issues_and_changes() -> None:
    """By the names under which they are looked for."""
    assert ISSUE_FORMS == ["bug_report.md", "feature_request.md", "wrong_rule.md"]
    assert (GITHUB / "pull_request_template.md").is_file()


@pytest.mark.parametrize("name", ISSUE_FORMS)
def test_an_issue_template_has_a_name_and_a_description(name: str) -> None:
    """Without them a template is not offered."""
    _, head, body = text(f".github/ISSUE_TEMPLATE/{name}").split("---\n", 2)
    assert {"name", "about"} <= yaml.safe_load(head).keys()
    assert body.strip()


def test_workflows_run_what_the_makefile_has() -> None:
    """Tests on every push, the long ones every night, on every Python from the oldest we take."""
    targets = re.findall(r"^([\w-]+):", text("Makefile"), re.MULTILINE)
    for name, target, events in (
        ("tests", "test", {"push", "pull_request"}),
        ("nightly", "test-long", {"schedule", "workflow_dispatch"}),
    ):
        workflow = yaml.safe_load(text(f".github/workflows/{name}.yml"))
        (job,) = workflow["jobs"].values()
        assert set(workflow[True]) == events  # the key is `on`, which YAML takes for a yes
        assert workflow["permissions"] == {"contents": "read"}
        assert [step["run"] for step in job["steps"] if "run" in step] == [
            f"make PYTHON=python {target}"
        ]
        assert target in targets
        oldest = job["strategy"]["matrix"]["python"][0]
        assert METADATA["requires-python"] == f">={oldest}"


def test_hooks_before_a_commit_download_nothing() -> None:
    """All are our own, and run what is in .venv."""
    (repository,) = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        assert hook["entry"].startswith(".venv/bin/")


def test_versions_are_pinned_without_an_address() -> None:
    """constraints.txt is names and versions and nothing else: no host, no option."""
    lines = [line for line in text("constraints.txt").splitlines() if not line.startswith("#")]
    for line in lines:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+]+", line), line
    names = [line.partition("==")[0].lower() for line in lines]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("extra", "reads"), [("web", tuple(SAFE)), ("mcp", ("h11", "starlette"))])
def test_no_version_with_a_known_hole_is_taken(extra: str, reads: tuple[str, ...]) -> None:
    """What reads requests for `serve` and `mcp --http` is new enough, and not newer than tested."""
    pins = dict(line.lower().split("==") for line in text("constraints.txt").splitlines()[1:])
    wanted = map(Requirement, METADATA["optional-dependencies"][extra])
    takes = {each.name: each.specifier for each in wanted}
    for name in reads:
        lowest = [Version(bound.version) for bound in takes[name] if bound.operator == ">="]
        assert lowest >= [Version(SAFE[name])], name
        assert pins[name] in takes[name]
