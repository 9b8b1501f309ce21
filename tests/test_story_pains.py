"""Which test holds which complaint: users of such tools reported each of these, and here is where it cannot happen."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parent

# Id of the complaint, what it is about, and the tests, as FILE::TEST.
PAINS: tuple[tuple[str, str, str], ...] = (
    ("P14", "a kernel that does not compile", "run_faults::test_a_kernel_script_with_a_syntax_error_stops_the_run"),
    ("P17", "a step that fetches", "run_faults::test_no_step_asks_the_network"),
    ("P27", "one fact in one place", "docs_readme::test_one_fact_changes_both_languages"),
    (
        "P27",
        "a translation that lags",
        "cli_translations::test_a_change_of_one_language_is_told_until_the_other_follows",
    ),
    ("P28", "two documents that differ", "docs_parity::test_a_change_of_one_document_is_found"),
    ("P28", "two READMEs that differ", "docs_readme::test_both_languages_say_the_same"),
    ("P29", "an edit of one README", "docs_parity::test_a_generated_readme_that_was_edited_by_hand_is_found"),
    ("P29", "an edit of one fence", "cli_files::test_an_edit_is_refused_with_its_diff_and_three_ways_out"),
    ("P30", "samples in documents", "docs_pages::test_the_settings_that_are_shown_can_be_used"),
    ("P30", "tables in documents", "docs_pages::test_what_the_table_of_owners_says_is_what_happens"),
    ("P31", "copied helper files", "cli_repository::test_shared_files_are_the_same_in_every_project"),
    ("P32", "questions without a terminal", "cli_eject::test_it_asks_on_a_terminal_only"),
    ("P32", "questions without a terminal", "cli_new::test_without_a_terminal_nothing_is_asked"),
    ("P43", "an undefined variable", "project_templates::test_what_is_wrong_with_a_template_is_found_at_its_line"),
    ("P45", "the final newline", "project_plan::test_a_text_that_no_generated_file_may_have"),
    ("P45", "the final newline", "cli_story::test_texts_keep_to_the_form_of_all_generated_files"),
    ("P46", "CRLF", "cli_files::test_a_checkout_with_crlf"),
    ("P46", "CRLF from git", "story_git::test_the_long_story"),
    ("P47", "encodings of the locale", "story_determinism::test_circumstances_do_not_show"),
    ("P47", "encodings of the locale", "cli_app::test_chinese_comes_out_under_an_ascii_locale"),
    ("P48", "text that ends a comment", "text_escape::test_cxx_comments_end_nothing_and_draw_no_line_in"),
    ("P48", "text that ends a string", "text_escape::test_cxx_strings_hold_the_text"),
    ("P48", "text in Markdown", "text_escape::test_markdown_shows_any_text"),
    ("P48", "text in Python and shell", "text_escape::test_shell"),
    ("P49", "reserved words and macros", "spec_names::test_names_that_are_illegal_in_some_language"),
    ("P50", "names that are no names", "spec_names::test_types_that_are_no_upper_camel_are_refused_by_the_rule_itself"),
    ("P50", "names that are no names", "cli_new::test_a_name_that_cannot_be_is_refused_before_anything"),
    ("P51", "a message that omits the rule", "schema_findings::test_the_rule_in_the_message_is_the_rule_of_the_schema"),
    ("P52", "letter case only", "cli_repository::test_operators_that_cannot_stand_side_by_side"),
    ("P52", "letter case only", "disk_paths::test_paths_that_cannot_stand_side_by_side"),
    ("P55", "an upgrade", "story_determinism::test_a_patch_upgrade_changes_the_lock_and_nothing_else"),
    ("P56", "times, sets, locales", "story_determinism::test_circumstances_do_not_show"),
    ("P56", "versions of Python", "story_determinism::test_the_version_of_python_does_not_show"),
    ("P57", "a failed run", "cli_story::test_a_failing_template_leaves_the_folder_as_it_was"),
    ("P57", "a folder in use", "cli_new::test_a_folder_in_use_is_not_touched"),
    ("P58", "interruption", "disk_abuse::test_a_failure_of_any_call_leaves_the_old_files_or_the_new_ones"),
    ("P58", "interruption", "disk_abuse::test_a_real_ctrl_c_puts_the_old_files_back"),
    ("P58", "a kill", "disk_transaction::test_a_kill_at_every_step_is_undone_by_the_next_run"),
    ("P58", "read-only files", "disk_abuse::test_read_only_files_are_replaced_and_get_ordinary_modes"),
    ("P59", "an edit", "cli_files::test_an_edit_is_refused_with_its_diff_and_three_ways_out"),
    ("P59", "an edit that stays", "disk_merge::test_an_edit_and_a_change_of_the_plan_come_together"),
    ("P59", "an edit of a file of one's own", "disk_write::test_files_of_the_user_are_written_once"),
    ("P60", "several ways to skip", "docs_pages::test_what_the_table_of_owners_says_is_what_happens"),
    ("P61", "a renamed operator", "cli_story::test_a_renamed_operator_leaves_nothing_behind"),
    ("P61", "another scenario", "cli_story::test_another_scenario_leaves_nothing_behind"),
    (
        "P61",
        "stale and edited",
        "disk_write::test_a_stale_file_that_was_edited_is_kept_and_reported_until_it_is_dealt_with",
    ),
    ("P63", "a deleted file", "disk_write::test_a_deleted_file_comes_back"),
    ("P63", "a deleted file of one's own", "cli_files::test_files_of_the_user"),
    ("P64", "a missing file", "cli_files::test_a_life"),
    ("P65", "modes", "disk_write::test_only_executables_have_the_bit"),
    ("P65", "a way out", "cli_eject::test_everything_stays_and_nothing_of_opgen_is_left"),
    ("P67", "an edit of a template", "project_templates::test_an_edit_of_a_template_alone_is_noticed"),
    ("P67", "an edit of the settings", "cli_repository::test_defaults_stand_in_where_op_yaml_is_silent"),
    ("P68", "values that lead outside", "cli_story::test_a_refused_op_yaml_changes_nothing"),
    ("P68", "a lock that leads outside", "disk_abuse::test_a_lock_cannot_name_what_lies_outside"),
    ("P68", "links that lead outside", "disk_abuse::test_no_command_follows_a_link_out_of_the_project"),
    ("P69", "output of a failed run", "cli_new::test_a_failure_leaves_nothing_unless_it_is_wanted"),
    ("P71", "tracebacks", "cli_app::test_no_error_is_a_traceback_unless_it_is_wanted"),
)

ROWS = (
    *(f"P{number}" for number in (14, 17)),
    *(f"P{number}" for number in (27, 28, 29, 30, 31, 32)),
    *(f"P{number}" for number in (43, 45, 46, 47, 48, 49, 50, 51, 52, 55, 56)),
    *(f"P{number}" for number in (57, 58, 59, 60, 61, 63, 64, 65, 67, 68, 69, 71)),
)


@pytest.mark.parametrize("pain", PAINS, ids=lambda pain: f"{pain[0]} {pain[2]}")
def test_the_test_is_there(pain: tuple[str, str, str]) -> None:
    file, name = pain[2].split("::")
    assert f"\ndef {name}(" in (TESTS / f"test_{file}.py").read_text("utf-8")


def test_every_row_has_a_test() -> None:
    assert {pain for pain, _, _ in PAINS} == set(ROWS)
