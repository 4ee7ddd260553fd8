// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidnode.audit.AuditArchive;
import io.hdfsraid.raidnode.audit.AuditArchive.Limits;
import io.hdfsraid.raidnode.audit.AuditEntry;
import io.hdfsraid.raidnode.audit.AuditFiles;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AuditedRunTest {
  private static final Clock CLOCK = Clock.systemUTC();

  private final Map<String, String> files = new TreeMap<>();
  private final AuditArchive archive =
      new AuditArchive(
          new AuditFiles() {
            @Override
            public List<Kept> list() {
              return List.of();
            }

            @Override
            public byte[] read(String name) {
              return files.get(name).getBytes(UTF_8);
            }

            @Override
            public void create(String name, byte[] content) {
              files.put(name, new String(content, UTF_8));
            }

            @Override
            public void append(String name, byte[] content) {
              files.merge(name, new String(content, UTF_8), String::concat);
            }

            @Override
            public void delete(String name) {
              files.remove(name);
            }
          },
          new Limits(1_000, 10, 1_000),
          KnownTrouble.NONE,
          CLOCK);
  private final AuditedRun audit =
      new AuditedRun(Optional.of(archive), () -> new AuditEntry(Instant.EPOCH, "repair --offline"));

  @Test
  void theEndOfAChangeIsRecorded() throws IOException {
    ChangePreview done =
        new ChangePreview(Action.REPAIR, "/", Outcome.DONE, 1, 0, 0, 0, "all is whole");

    assertThat(audit.of(() -> done)).isEqualTo(done);

    assertThat(files.values())
        .singleElement()
        .asString()
        .contains("repair --offline", "\"DONE\"", "all is whole");
  }

  @Test
  void whatWasDoneBeforeAFailureIsRecordedAndSoIsTheFailure() {
    assertThatThrownBy(
            () ->
                audit.of(
                    () -> {
                      archive.add(
                          AuditArchive.Series.ACTIONS,
                          new AuditEntry(Instant.EPOCH, "repaired").with("path", "/a"));
                      throw new IOException("no NameNode");
                    }))
        .hasMessage("no NameNode");

    assertThat(files.values())
        .singleElement()
        .asString()
        .contains("repaired", "/a", "\"FAILED\"", "no NameNode");
  }
}
