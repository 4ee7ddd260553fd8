# shellcheck shell=sh
# Read by bin/raidnode, bin/raidshell and bin/bench: finds Java, builds a checkout where needed, and starts a main class.
# Works in a checkout (where the build puts what is delivered into dist/target) and in the unpacked tarball.
#
# Environment:
#   JAVA_HOME               a JDK 17 or newer; default: java in PATH. A Java runtime is enough for the tarball.
#   HADOOP_CONF_DIR         goes first on the class path (not for the demo and bin/bench, which start a cluster of their own)
#   KRB5_CONFIG             the file krb5.conf; default: as Java finds it, mostly /etc/krb5.conf
#   HDFS_RAID_CONF_DIR      default: conf/ beside bin/
#   HDFS_RAID_MIN_FREE_MB   free disk space that a build or a demo must find; default 2048
#   HDFS_RAID_FAST_START    no: raidshell makes no archive of its classes, and uses none
#   TMPDIR                  where the demo and bin/bench keep their cluster; default /tmp

me=$(basename "$0")
home=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd -P)
min_free_mb=${HDFS_RAID_MIN_FREE_MB:-2048}
# shellcheck disable=SC2034  # read by the scripts that source this one
print_classpath=
if [ "${1-}" = --print-classpath ]; then
  print_classpath=yes
fi

fail() {
  printf '%s: %s\n' "$me" "$1" >&2
  exit 2
}

# The packages keep HADOOP_CONF_DIR and the like where systemd reads it. What the caller has set comes first.
read_package_environment() {
  [ "$home" = /usr/lib/hdfs-raid ] || return 0
  for file in /etc/default/raidnode /etc/sysconfig/raidnode; do
    [ -r "$file" ] || continue
    # As systemd reads it: a value may have spaces without quotes, so the file is no script.
    while IFS='=' read -r key value; do
      case $key in
        '' | *[!A-Za-z0-9_]*) continue ;;
      esac
      value=${value#\"}
      printenv "$key" >/dev/null || export "$key=${value%\"}"
    done <"$file"
  done
}

# Sets java, java_version (the feature release, such as 17), and vector_api (an option for Java).
find_java() {
  if [ -n "${JAVA_HOME-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || fail "JAVA_HOME is $JAVA_HOME, but there is no $java: let it name a JDK 17 or newer."
  else
    java=$(command -v java) || fail "No java found: install a JDK 17 or newer and put it into PATH or JAVA_HOME."
  fi
  release=$(dirname -- "$(readlink -f -- "$java")")/../release
  # shellcheck disable=SC2034  # read by the scripts that source this one
  vector_api=
  if [ -r "$release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\(.*\)"$/\1/p' "$release")
    # Doubles the speed of the codecs, but only on processors with AVX-512 VBMI; and Java warns in one line that it is an incubator module.
    case "$(sed -n 's/^MODULES=//p' "$release") $(sed -n '/^flags/{p;q;}' /proc/cpuinfo 2>/dev/null) " in
      *jdk.incubator.vector*" avx512vbmi "*) vector_api="--add-modules jdk.incubator.vector" ;;
    esac
  else
    version=$("$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p' | head -n 1)
  fi
  # 17.0.15, 25, 25-ea; up to Java 8 it was 1.8.0_392
  java_version=$(printf '%s\n' "$version" | sed 's/^1\.//; s/[^0-9].*//')
  [ -n "$java_version" ] || fail "$java does not tell its version: is it a Java? Set JAVA_HOME to a JDK 17 or newer."
  [ "$java_version" -ge 17 ] || fail "$java is Java $version, but HDFS-RAID needs 17 or newer: set JAVA_HOME to a JDK 17 or newer."
}

find_javac() {
  beside=$(dirname -- "$(readlink -f -- "$java")")
  if [ -n "${JAVA_HOME-}" ]; then
    [ -x "$JAVA_HOME/bin/javac" ] || fail "JAVA_HOME is $JAVA_HOME, a Java runtime without javac: the build needs a JDK 17 or newer."
  elif [ -x "$beside/javac" ]; then
    JAVA_HOME=$(dirname -- "$beside")
    export JAVA_HOME
  else
    command -v javac >/dev/null || fail "$java is a Java runtime without javac: the build needs a JDK 17 or newer, in PATH or JAVA_HOME."
  fi
}

# need_space <directory, which may not exist yet> <what for>
need_space() {
  place=$1
  while [ ! -d "$place" ]; do
    place=$(dirname -- "$place")
  done
  free_mb=$(df -Pk "$place" | awk 'NR == 2 { print int($4 / 1024) }')
  [ "$free_mb" -ge "$min_free_mb" ] ||
    fail "$2 needs $min_free_mb MB of free disk space, but $place has $free_mb MB: free some, or set HDFS_RAID_MIN_FREE_MB."
}

in_checkout() {
  [ -f "$home/pom.xml" ] && [ -f "$home/mvnw" ]
}

# Succeeds if nothing that is built has changed since the time of the file. Folders count: a deleted file changes its folder.
# The configuration is read where it is, so who edits it waits for no build.
up_to_date() {
  [ -f "$1" ] && [ -z "$(
    find "$home/pom.xml" "$home/.mvn" "$home/bin" "$home"/*/pom.xml "$home"/*/src/main \
      -newer "$1" 2>/dev/null | head -n 1
  )" ]
}

built() {
  [ -e "$product" ] && { up_to_date "$stamp" || up_to_date "$tarball"; }
}

# build <module>: also builds the modules that it needs
build() {
  need_space "$home/dist/target" "The build"
  need_space "${HOME:-/}/.m2/repository" "The build (for libraries from Maven Central)"
  find_javac
  mkdir -p "$home/dist/target" || fail "Cannot write to $home/dist/target, where the build goes."
  # Two launchers at a time: the second waits, and then finds everything built.
  if command -v flock >/dev/null; then
    exec 9>"$home/dist/target/build.lock"
    flock 9
    if built; then
      exec 9>&-
      return 0
    fi
  fi
  if [ -e "$product" ]; then
    echo "Building HDFS-RAID (sources have changed)…" >&2
  else
    echo "Building HDFS-RAID (first run: a few minutes)…" >&2
  fi
  : >"$stamp.new"
  log=$home/dist/target/build.log
  if ! (cd "$home" && ./mvnw -B -ntp -q -DskipTests -Ddist.skipTarball -pl "$1" -am package) >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    fail "The build failed. Above are its last lines; all of them are in $log"
  fi
  mv "$stamp.new" "$stamp"
  exec 9>&-
}

# Sets release to the version of the checkout.
find_release() {
  release=$(sed -n '/<artifactId>hdfs-raid<\/artifactId>/,/<\/version>/ s/.*<version>\(.*\)<\/version>.*/\1/p' "$home/pom.xml")
}

# Sets lib to the folder with the jars, after a build where one is needed.
find_lib() {
  if in_checkout; then
    find_release
    tree=$home/dist/target/hdfs-raid-$release
    product=$tree/lib/demo
    tarball=$tree.tar.gz
    stamp=$home/dist/target/built
    built || build dist
    lib=$tree/lib
  else
    lib=$home/lib
  fi
  [ -d "$lib" ] || fail "There is no $lib: unpack the whole of the tarball."
}

# Adds the class path of the module bench, which is not shipped, after a build where one is needed.
add_bench_jars() {
  in_checkout || fail "The benchmarks are not part of the tarball: run bin/bench in a checkout of the sources."
  find_release
  product=$home/bench/target/classpath
  stamp=$home/bench/target/built
  tarball=$stamp
  if ! built; then
    mkdir -p "$home/bench/target" || fail "Cannot write to $home/bench/target, where the build goes."
    build bench
  fi
  add_jars "$home/bench/target/hdfs-raid-bench-$release.jar"
  add_to_classpath "$(cat "$product")"
}

# The order matters. The empty webapps/ of embedded must come before those of the mini cluster (or it starts five times slower),
# and the mini cluster needs its own copies of some classes of hadoop-hdfs.
add_demo_jars() {
  add_jars "$lib"/demo/hdfs-raid-embedded-*.jar
  for jar in "$lib"/demo/*.jar; do
    case $jar in
      */hdfs-raid-embedded-*) ;;
      *) add_jars "$jar" ;;
    esac
  done
}

add_jars() {
  for jar in "$@"; do
    [ -f "$jar" ] || fail "There is no $jar: unpack the whole of the tarball, or build again."
    add_to_classpath "$jar"
  done
}

add_to_classpath() {
  classpath=${classpath:+$classpath:}$1
}

# Sets class_archive to an archive with the parsed classes of the class path, which saves half of the time of a
# short command. The first command starts making it, beside the jars or in the user's cache. Java ignores one that does not fit it.
find_archive() {
  # shellcheck disable=SC2034  # read by the scripts that source this one
  archive_options=
  [ -z "$print_classpath" ] && [ "${HDFS_RAID_FAST_START-yes}" = yes ] || return 0
  key=$(printf '%s' "$java $version $classpath" | cksum) || return 0
  key=${key%% *}
  for folder in "$lib" "${XDG_CACHE_HOME:-${HOME:-/}/.cache}/hdfs-raid"; do
    archive=$folder/raidshell-$key.jsa
    if ! [ "$archive" -nt "$classpath" ] || ! [ "$archive" -nt "$java" ]; then
      mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ] || continue
      # Takes a few seconds, for which nobody has to wait.
      make_archive </dev/null >/dev/null 2>&1 &
    fi
    # An empty file says that this Java makes none.
    # And no warning of Java goes to the output: why an archive does not fit is nobody's concern.
    if [ -s "$archive" ]; then
      class_archive=$archive
      archive_options="-Xshare:auto -Xlog:disable"
    fi
    return 0
  done
}

# Runs beside the first command, and only once at a time.
make_archive() {
  new=$archive.new
  if command -v flock; then
    exec 9>"$archive.lock"
    flock -n 9 || return 0
  else
    new=$archive.$$
  fi
  nice "$java" -XX:DumpLoadedClassList="$new.list" -cp "$classpath" io.hdfsraid.raidshell.Rehearsal &&
    nice "$java" -Xshare:dump -XX:SharedClassListFile="$new.list" -XX:SharedArchiveFile="$new" -cp "$classpath" || rm -f "$new"
  [ -s "$new" ] || : >"$new"
  mv -f "$new" "$archive"
  rm -f "$new.list" "$archive.lock"
}

class_archive=

# run <main class> <options for Java, split at blanks> <arguments>...
run() {
  main=$1
  options=$2
  shift 2
  if [ -n "$print_classpath" ]; then
    printf '%s\n' "$classpath" | tr ':' '\n'
    exit 0
  fi
  # What Java 24 and newer would print warnings about: RocksDB is native, Hadoop's protobuf uses Unsafe.
  if [ "$java_version" -ge 24 ]; then
    options="--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow $options"
  fi
  # shellcheck disable=SC2086  # options are split on purpose
  exec "$java" ${KRB5_CONFIG:+"-Djava.security.krb5.conf=$KRB5_CONFIG"} $options ${class_archive:+"-XX:SharedArchiveFile=$class_archive"} -Dhdfsraid.home="$home" -Dhdfsraid.conf="${HDFS_RAID_CONF_DIR:-$(readlink -f -- "$home/conf")}" -cp "$classpath" "$main" "$@"
}
