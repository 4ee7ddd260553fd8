// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidnode.access.KnownBy;
import io.hdfsraid.raidnode.access.ModesOfDirectories;
import io.hdfsraid.raidnode.access.PermittedPaths;
import io.hdfsraid.raidnode.access.Person;
import io.hdfsraid.raidnode.access.Role;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeenAnswerTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ModesOfDirectories hdfs =
      new ModesOfDirectories()
          .with("/", "hdfs", true, true)
          .with("/open", "hdfs", true, true)
          .with("/own", "ann", false, false)
          .with("/own place", "ann", false, false);
  private final SeenAnswer bob =
      new SeenAnswer(
          new PermittedPaths(hdfs, () -> true)
              .of(new Person("bob", Optional.of(Role.VIEWER), KnownBy.TOKEN)));

  private String seen(String json) throws IOException {
    return bob.of(JSON.readTree(json.replace('\'', '"')))
        .map(node -> node.toString().replace('"', '\''))
        .orElse("nothing");
  }

  @Test
  void itemsAboutHiddenPathsAreLeftOut() throws IOException {
    assertThat(seen("{'items':[{'path':'/own/f'},{'path':'/open/f'},{'path':''}],'next':'7'}"))
        .isEqualTo("{'items':[{'path':'/open/f'},{'path':''}],'next':'7'}");
  }

  @Test
  void anAnswerAboutAHiddenPathIsNone() throws IOException {
    assertThat(seen("{'path':'/own/f','n':1}")).isEqualTo("nothing");
    assertThat(seen("{'n':1,'file':{'path':'/own/f'},'history':[]}")).isEqualTo("nothing");
    assertThat(seen("{'n':1,'file':null,'path':'/','d':1.5}"))
        .isEqualTo("{'n':1,'file':null,'path':'/','d':1.5}");
  }

  @ParameterizedTest
  @CsvSource({
    "/own/f, (hidden)",
    "/open/f, /open/f",
    "Lost units of /own/f and more, Lost units of (hidden)",
    "/own place/f is gone, (hidden)",
    "See '/own/f', See '(hidden)",
    "at=/own/f, at=(hidden)",
    "hdfs://nn:8020/own/f, hdfs://nn:8020(hidden)",
    "hdfs:///own/f, hdfs://(hidden)",
    "hdfs://nn:8020, hdfs://nn:8020",
    "hdfs://nn:8020 has not answered; see /own/f, hdfs://nn:8020 has not answered; see (hidden)",
    "é/own/f, é(hidden)",
    "16387/0 of 3/4 in Europe/Berlin, 16387/0 of 3/4 in Europe/Berlin",
    "Move /open/f to /own/f, Move (hidden)",
    "Lost units of /open/f, Lost units of /open/f",
  })
  void allFromAHiddenPathOnIsReplacedInOtherTexts(String text, String shown) {
    assertThat(bob.text(text)).isEqualTo(shown);
  }

  @Test
  void textsAreFoundWhereverTheyAre() throws IOException {
    assertThat(seen("{'a':[['/own/f'],{'b':'of /own/f'}]}"))
        .isEqualTo("{'a':[['(hidden)'],{'b':'of (hidden)'}]}");
  }

  @Test
  void namesOfFieldsAreTextsToo() throws IOException {
    assertThat(seen("{'a':{'/own/f':1}}")).isEqualTo("{'a':{'(hidden)':1}}");
  }

  @Test
  void patternsOfPoliciesAreNamesUpToTheFirstWildcard() throws IOException {
    assertThat(seen("{'paths':['/open/**','/open/*/x','/own/**','/own/f','**/.Trash/**','/own*']}"))
        .isEqualTo(
            "{'paths':['/open/**','/open/*/(hidden)','(hidden)','(hidden)','**/(hidden)','/own*']}");
  }

  @Test
  void patternsShowNoNamesBelowAWildcard() throws IOException {
    assertThat(seen("{'paths':['/open/{a,b}/contracts/**','/open/**/*.orc','/open/*-x/*y']}"))
        .isEqualTo("{'paths':['/open/{a,b}/(hidden)','/open/**/*.orc','/open/*-x/(hidden)']}");
  }

  @Test
  void thePathOfClientsIsShownWithTheFileAndOnlyThen() throws IOException {
    assertThat(seen("{'path':'/open/f','clientPath':'/own/f'}"))
        .isEqualTo("{'path':'/open/f','clientPath':'/own/f'}");
    assertThat(seen("{'path':'/own/f','clientPath':'/open/f'}")).isEqualTo("nothing");
  }

  @Test
  void racksAreNoPaths() throws IOException {
    assertThat(seen("{'rack':'/dc1/rack1'}")).isEqualTo("{'rack':'/dc1/rack1'}");
  }
}
