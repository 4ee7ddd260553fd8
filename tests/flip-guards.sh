#!/bin/sh
# Takes out one guard of users' data after another and expects its test to fail; see CONTRIBUTING.md.
# Arguments go to Maven; for example -Dguards.only=fence, or -o.
set -u
cd "$(dirname "$0")/.." || exit 1
./mvnw -q -ntp -pl tests -am test -Dtest=GuardFlips -Dsurefire.failIfNoSpecifiedTests=false "$@"
failed=$?
cat tests/target/guards.md
exit $failed
