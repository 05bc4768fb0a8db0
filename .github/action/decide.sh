#!/usr/bin/env bash
# Ends the job as the gate decided. A code that is missing or unknown is "it could not run".
set -euo pipefail

case ${SLUICEGATE_EXIT_CODE:-} in
    0) exit 0 ;;
    1) echo "DO NOT INSTALL: a skill is not safe." ;;
    3) echo "CAUTION: a person should look. With fail-on: do-not-install this passes." ;;
    *)
        echo "::error title=Sluicegate::the scan could not run, and nothing was decided"
        exit 2
        ;;
esac
exit "$SLUICEGATE_EXIT_CODE"
