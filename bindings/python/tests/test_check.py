"""Checking policies."""

from __future__ import annotations

from typing import Any

from tool_policy import check, check_text


def test_lints_and_tests(tmp_path: Any) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(
        'version = 1\n[[rules]]\nallow_by_default = true\n[[rules]]\nallow_by_name = ["x"]\n'
        '[[tests]]\ncall = { tool = "x" }\nexpect = "deny"\n[[tests]]\ncall = { tool = "y" }\nexpect = "allow"\n'
    )
    (tmp_path / "policy.test.toml").write_text('version = 1\n[[tests]]\ncall = { tool = "z" }\nexpect = "allow"\n')
    report = check(path)
    assert (report.rules, report.tests_passed, report.tests_failed, report.ok, bool(report)) == (2, 2, 1, False, False)
    codes = {found.code for found in report.diagnostics}
    assert "unreachable-rule" in codes
    assert "unreachable-rule" in str(report)


def test_a_policy_that_does_not_load_is_told_like_any_finding(tmp_path: Any) -> None:
    report = check_text("version = 1\nrule = 3\n")
    assert not report and report.rules == 0
    assert [found.severity for found in report.diagnostics] == ["error"]
    assert not check(tmp_path / "none.toml")


def test_a_clean_policy() -> None:
    text = 'version = 1\n[[rules]]\ndecide_by_human = true\n[[tests]]\ncall = { tool = "x" }\nexpect = "ask"\n'
    report = check_text(text)
    assert report.ok and report.diagnostics == () and report.tests_passed == 1 and str(report) == ""
