// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigurationDumpTest {
  private final ConfigurationDump dump =
      new ConfigurationDump("raidnode.", Map.of("store.password", "sesame", "repair.workers", "7"));

  @Test
  void secretsAreMaskedInBothForms() throws IOException {
    StringWriter xml = new StringWriter();
    StringWriter json = new StringWriter();
    dump.xml(null, xml);
    dump.json(null, json);

    assertThat(xml.toString()).contains("raidnode.store.password", "<value>7</value>");
    assertThat(json.toString()).contains("raidnode.store.password", "\"value\":\"7\"");
    assertThat(xml.toString() + json).doesNotContain("sesame").contains("redacted");
  }

  @Test
  void aKeyIsKnownIfSomebodyHasSetIt() {
    assertThat(dump.knows("raidnode.repair.workers")).isTrue();
    assertThat(dump.knows("repair.workers")).isFalse();
  }
}
