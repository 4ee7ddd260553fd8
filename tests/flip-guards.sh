#!/bin/sh
# Takes out one guard of users' data after another and expects its test to fail; see CONTRIBUTING.md.
# Shows a table; exits with 0 only if every one of them turned red.
# Arguments go to Maven; for example -Dguards.only=fence, or -o.
set -u
cd "$(dirname "$0")/.." || exit 1
rm -f tests/target/guards.md
./mvnw -q -ntp -pl tests -am test -Dtest=GuardFlips -Dsurefire.failIfNoSpecifiedTests=false "$@"
failed=$?
if [ ! -s tests/target/guards.md ]; then
  echo "Nothing was tried: the project did not compile" >&2
  exit 2
fi
cat tests/target/guards.md
exit $failed
