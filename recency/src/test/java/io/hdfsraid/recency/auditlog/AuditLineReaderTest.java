// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuditLineReaderTest {
  private static final String TIME = "2026-11-21 00:30:43,755";
  private static final String PREFIX = TIME + " INFO FSNamesystem.audit: ";
  private static final long MILLIS = Instant.parse("2026-11-21T00:30:43.755Z").toEpochMilli();

  record Read(String path, long at, String ugi, String ip) {}

  private final List<Read> reads = new ArrayList<>();
  private final AuditLineReader lines = lines(ZoneOffset.UTC);

  private AuditLineReader lines(ZoneId zone) {
    return lines(zone, Instant.parse("2026-12-01T00:00:00Z"));
  }

  private AuditLineReader lines(ZoneId zone, Instant now) {
    return new AuditLineReader(
        zone,
        Clock.fixed(now, ZoneOffset.UTC),
        (path, at, line, ugi, ip) -> reads.add(new Read(path, at, ugi.text(line), ip.text(line))));
  }

  private LineProblem read(byte[] line) {
    byte[] within = new byte[line.length + 20];
    System.arraycopy(line, 0, within, 10, line.length);
    return lines.read(within, 10, line.length);
  }

  private LineProblem read(String line) {
    return read(line.getBytes(StandardCharsets.UTF_8));
  }

  private static String open(String src) {
    return PREFIX
        + "allowed=true\tugi=root (auth:SIMPLE)\tip=/127.0.0.1\tcmd=open\tsrc="
        + src
        + "\tdst=null\tperm=null\tproto=rpc";
  }

  @Test
  void aReadIsToldWithPathTimeUserAndClient() {
    assertThat(read(open("/fav1"))).isNull();
    assertThat(reads)
        .containsExactly(new Read("/fav1", MILLIS, "root (auth:SIMPLE)", "/127.0.0.1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-21 00:30:43,755 INFO  org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit: ",
        "2026-11-21 00:30:43.755 INFO FSNamesystem.audit: ",
        "2026-11-21T00:30:43,755 [IPC Server handler 3] INFO audit - ",
        "2026-11-21 00:30:43,755 "
      })
  void layoutsBeginWithATimeAndEndWithTheMessage(String prefix) {
    assertThat(read(open("/f").replace(PREFIX, prefix))).isNull();
    assertThat(reads).extracting(Read::at).containsExactly(MILLIS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allowed=true\tugi=a\tip=/1.2.3.4\tcmd=listStatus\tsrc=/f\tdst=null\tperm=null",
        "allowed=false\tugi=a\tip=/1.2.3.4\tcmd=open\tsrc=/f\tdst=null\tperm=null",
        "allowed=true\tugi=a\tip=/1.2.3.4\tcmd=rename (options=[TO_TRASH])\tsrc=/f\tdst=/g"
            + "\tperm=a:b:rw-",
        "allowed=true\tugi=a\tip=null\tcmd=safemode_enter\tsrc=null\tdst=null\tperm=null",
        "allowed=true\tugi=a\tip=/1.2.3.4\tcmd=concat\tsrc=[/f, /g]\tdst=/h\tperm=null"
      })
  void whatIsNoReadThatWasAllowedIsNeitherToldNorWrong(String message) {
    assertThat(read(PREFIX + message)).isNull();
    assertThat(reads).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/n/with space | /n/with space",
        "/n/eq=al&b | /n/eq=al&b",
        "/n/uml\\u00E4ut-\\u65E5\\u672C | /n/umläut-日本",
        "/n/emoji\\uD83D\\uDE00 | /n/emoji😀",
        "/n/back\\\\slash | /n/back\\slash",
        "/n/quo\\\"te | /n/quo\"te",
        "/n/umläut | /n/umläut"
      })
  void pathsAreReadAsHadoopEscapesThem(String written, String path) {
    assertThat(read(open(written))).isNull();
    assertThat(reads).extracting(Read::path).containsExactly(path);
  }

  @Test
  void blanksOfAllKindsInAPathAreEscapes() {
    assertThat(read(open("/n/a\\tb\\nc\\rd\\fe\\bf\\u0001"))).isNull();
    assertThat(reads).extracting(Read::path).containsExactly("/n/a\tb\nc\rd\fe\bf\u0001");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "{\"allowed\":true} | JSON",
        "hello | TIME",
        "2026-13-21 00:30:43,755 INFO a: allowed=true | TIME",
        "2026-11-21 25:30:43,755 INFO a: allowed=true | TIME",
        "2026-11-21 00:30:61,755 INFO a: allowed=true | TIME",
        "2026-11-21 00:30:43,755 | TIME",
        "2026-11-21 00:30:43,755 INFO a: no message | FIELDS",
        "2026-11-21 00:30:43,755 INFO a: allowed=true | FIELDS"
      })
  void whatIsWrongIsNamed(String line, LineProblem flaw) {
    assertThat(read(line)).isEqualTo(flaw);
    assertThat(reads).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "f | PATH",
        "null | PATH",
        "/a\\qb | ESCAPE",
        "/a\\u12 | ESCAPE",
        "/a\\u12G4 | ESCAPE",
        "/a\\ | ESCAPE"
      })
  void aPathThatCannotBeIsNamed(String path, LineProblem flaw) {
    assertThat(read(open(path))).isEqualTo(flaw);
    assertThat(reads).isEmpty();
  }

  @Test
  void bytesThatAreNoUtf8AreNamed() {
    byte[] line = open("/a?b").getBytes(StandardCharsets.UTF_8);
    line[open("/a").indexOf("/a") + 2] = (byte) 0xC3;
    assertThat(read(line)).isEqualTo(LineProblem.UTF_8);
  }

  @Test
  void aUserWhoCallsHimselfALineIsNotBelieved() {
    String name = "bob\tip=/9.9.9.9\tcmd=open\tsrc=/evil";
    assertThat(read(open("/x").replace("ugi=root", "ugi=" + name))).isEqualTo(LineProblem.FIELDS);
    String whole = name + "\tdst=null\tperm=null\tproto=rpc\tcallerContext=x";
    assertThat(read(open("/x").replace("ugi=root", "ugi=" + whole))).isEqualTo(LineProblem.FIELDS);
    assertThat(reads).isEmpty();
  }

  @Test
  void whereAClockIsSetBackTheLaterTimeIsMeant() {
    AuditLineReader berlin = lines(ZoneId.of("Europe/Berlin"));
    byte[] line =
        open("/f").replace(TIME, "2026-10-25 02:30:00,000").getBytes(StandardCharsets.UTF_8);
    assertThat(berlin.read(line, 0, line.length)).isNull();
    assertThat(reads)
        .extracting(read -> Instant.ofEpochMilli(read.at()))
        .containsExactly(Instant.parse("2026-10-25T01:30:00Z"));
  }

  @Test
  void unlessItIsStillToCome() {
    AuditLineReader berlin =
        lines(ZoneId.of("Europe/Berlin"), Instant.parse("2026-10-25T00:30:01Z"));
    byte[] line =
        open("/f").replace(TIME, "2026-10-25 02:30:00,000").getBytes(StandardCharsets.UTF_8);
    assertThat(berlin.read(line, 0, line.length)).isNull();
    assertThat(reads)
        .extracting(read -> Instant.ofEpochMilli(read.at()))
        .containsExactly(Instant.parse("2026-10-25T00:30:00Z"));
  }

  /** The same, said otherwise, and slowly. */
  private static final Pattern LINE =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d)[ T](\\d\\d:\\d\\d:\\d\\d)[,.](\\d{3}) (?:|.*? )allowed=true"
              + "\tugi=([^\t]*)\tip=([^\t]*)\tcmd=open\tsrc=(/[^\t]*)\tdst=[^\t]*(?:\t.*)?",
          Pattern.DOTALL);

  private static List<Read> oracle(byte[] bytes) {
    String line = new String(bytes, StandardCharsets.UTF_8);
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      return List.of();
    }
    long at =
        LocalDateTime.parse(matcher.group(1) + "T" + matcher.group(2) + "." + matcher.group(3))
            .toInstant(ZoneOffset.UTC)
            .toEpochMilli();
    return List.of(
        new Read(JavaEscapes.read(matcher.group(6)), at, matcher.group(4), matcher.group(5)));
  }

  @Test
  void ofDamagedLinesNothingIsToldThatIsNotWrittenThere() {
    List<String> corpus =
        List.of(
            open("/warehouse/clicks/dt=2026-11-20/part-00017.orc"),
            open("/n/uml\\u00E4ut\\tx"),
            open("/a").replace("root (auth", "alice (auth:PROXY) via hive/h@R (auth"),
            open("/a") + "\tcallerContext=mr_attempt_17",
            open("/a").replace("cmd=open", "cmd=rename (options=[OVERWRITE])"),
            open("/a").replace("allowed=true", "allowed=false"));
    Random random = new Random(6);
    int told = 0;
    int refused = 0;
    for (int i = 0; i < 400_000; i++) {
      byte[] line = damage(corpus.get(random.nextInt(corpus.size())), random);
      reads.clear();
      LineProblem flaw = read(line);
      if (flaw == null) {
        assertThat(reads).as(() -> new String(line, StandardCharsets.UTF_8)).hasSizeLessThan(2);
        if (!reads.isEmpty()) {
          told++;
          assertThat(reads)
              .as(() -> new String(line, StandardCharsets.UTF_8))
              .isEqualTo(oracle(line));
        }
      } else {
        refused++;
        assertThat(reads).isEmpty();
      }
    }
    assertThat(told).isGreaterThan(30_000);
    assertThat(refused).isGreaterThan(30_000);
  }

  private static byte[] damage(String text, Random random) {
    byte[] line = text.getBytes(StandardCharsets.UTF_8);
    switch (random.nextInt(5)) {
      case 0 -> {
        return Arrays.copyOf(line, random.nextInt(line.length));
      }
      case 1 -> {
        return Arrays.copyOfRange(line, random.nextInt(line.length), line.length);
      }
      case 2 -> {
        byte[] joined = new byte[line.length + 40];
        int at = random.nextInt(line.length);
        System.arraycopy(line, 0, joined, 0, at);
        System.arraycopy(line, random.nextInt(line.length - 40), joined, at, 40);
        System.arraycopy(line, at, joined, at + 40, line.length - at);
        return joined;
      }
      case 3 -> {
        byte[] noise = new byte[random.nextInt(200)];
        random.nextBytes(noise);
        return noise;
      }
      default -> {
        for (int i = random.nextInt(4); i >= 0; i--) {
          String likely = "\t\\=/ :0au";
          line[random.nextInt(line.length)] =
              random.nextBoolean()
                  ? (byte) random.nextInt(256)
                  : (byte) likely.charAt(random.nextInt(likely.length()));
        }
        return line;
      }
    }
  }
}
