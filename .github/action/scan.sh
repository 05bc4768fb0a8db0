#!/usr/bin/env bash
# Scans, and leaves the reports and the exit code for the steps after it: an upload comes before the job fails.
# Every SLUICEGATE_* value comes from the workflow. Each is one argument, joined to its option, and never code.
set -uo pipefail

fail() {
    echo "::error title=Sluicegate::$1"
    echo "exit-code=2" >>"$GITHUB_OUTPUT"
    exit 2
}

flag() {
    case $2 in
        true) return 0 ;;
        false | "") return 1 ;;
        *) fail "the input $1 is true or false" ;;
    esac
}

cd "$GITHUB_WORKSPACE/$SLUICEGATE_ROOT" || fail "there is no workspace: check the repository out first"
out=$(mktemp -d "$RUNNER_TEMP/sluicegate-report.XXXXXX") || fail "there is no place for the reports"

since=$SLUICEGATE_SINCE
if flag new-only "$SLUICEGATE_NEW_ONLY" && [ -z "$since" ] && [ -n "${GITHUB_BASE_REF:-}" ]; then
    since=origin/$GITHUB_BASE_REF
fi
if flag upload-sarif "$SLUICEGATE_SARIF" && [ -n "$since" ]; then
    fail "upload-sarif goes with a whole scan: code scanning would close the alerts of the skills left out"
fi

case $SLUICEGATE_FORMAT in
    text | concise | json | sarif | markdown | html | gitlab | github) ;;
    *) fail "the input format is text, concise, json, sarif, markdown, html, gitlab or github" ;;
esac
report=$out/report.$SLUICEGATE_FORMAT
arguments=("-o" "$SLUICEGATE_FORMAT:$report" "-o" "json:$out/decision.json")
flag summary "$SLUICEGATE_SUMMARY" && arguments+=("-o" "markdown:$out/summary.md")
flag annotations "$SLUICEGATE_ANNOTATIONS" && arguments+=("-o" "github:$out/annotations")
flag upload-sarif "$SLUICEGATE_SARIF" && arguments+=("-o" "sarif:$out/sluicegate.sarif")
# In the whole repository there may be no skill; a folder that was named is to hold one.
[ "$SLUICEGATE_PATH" = . ] && arguments+=("--allow-none")
[ -n "$since" ] && arguments+=("--changed-since=$since")
[ -n "$SLUICEGATE_FAIL_ON" ] && arguments+=("--fail-on=$SLUICEGATE_FAIL_ON")
[ -n "$SLUICEGATE_CONFIG" ] && arguments+=("--config=$SLUICEGATE_CONFIG")
[ -n "$SLUICEGATE_BASELINE" ] && arguments+=("--baseline=$SLUICEGATE_BASELINE")

# Names of files stand in what is printed: until the word is said again, the runner takes no order from it.
word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$word"
code=0
"$SLUICEGATE" scan "${arguments[@]}" -- "$SLUICEGATE_PATH" 2>&1 || code=$?
echo "::$word::"

decision=
if [ -f "$out/decision.json" ]; then
    read_decision='import json, sys; print(json.load(open(sys.argv[1], encoding="utf-8"))["decision"])'
    decision=$("$(dirname "$SLUICEGATE")/python" -I -c "$read_decision" "$out/decision.json") || fail "the report cannot be read"
elif [ "$code" = 0 ]; then
    decision=NOTHING_TO_SCAN
    [ -n "$since" ] && decision=NOTHING_CHANGED
    report=
else
    report=
fi
[ -f "$out/annotations" ] && cat "$out/annotations"
[ -f "$out/summary.md" ] && cat "$out/summary.md" >>"$GITHUB_STEP_SUMMARY"
if [ "$decision" = NOTHING_CHANGED ] && flag summary "$SLUICEGATE_SUMMARY"; then
    echo "Sluicegate: no changed file lies in a skill." >>"$GITHUB_STEP_SUMMARY"
elif [ "$decision" = NOTHING_TO_SCAN ] && flag summary "$SLUICEGATE_SUMMARY"; then
    echo "Sluicegate: the repository holds no skill." >>"$GITHUB_STEP_SUMMARY"
fi
{
    echo "decision=$decision"
    echo "exit-code=$code"
    echo "report=$report"
    [ -f "$out/sluicegate.sarif" ] && echo "sarif=$out/sluicegate.sarif"
} >>"$GITHUB_OUTPUT"
exit 0
