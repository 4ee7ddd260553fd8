// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathGlobTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '"',
      value = {
        "/a/* /a/b true",
        "/a/* /a/b/c false",
        "/a/* /a false",
        "/a/*.gz /a/.gz true",
        "/a/** /a/b/c true",
        "/a/** /a/.hidden/c true",
        "/a/** /a false",
        "/a/** /ab false",
        "/a/**/z /a/z true",
        "/a/**/z /a/b/c/z true",
        "/a/**/z /a/bz false",
        "**/.Trash/** /user/x/.Trash/f true",
        "**/.Trash/** /.Trash/f true",
        "**/.Trash/** /user/xTrash/f false",
        "**/.Trash/** /user/x.Trash/f false",
        "/a? /ab true",
        "/a? /a/ false",
        "/a? /a false",
        "/user/{hive,spark}/** /user/spark/f true",
        "/user/{hive,spark}/** /user/other/f false",
        "/accumulo/tables/{!0,+r,+rep}/** /accumulo/tables/!0/root true",
        "/accumulo/tables/{!0,+r,+rep}/** /accumulo/tables/+rep/x true",
        "/accumulo/tables/{!0,+r,+rep}/** /accumulo/tables/1/x false",
        "/p[0-4] /p3 true",
        "/p[0-4] /p5 false",
        "/p[!0-4] /p5 true",
        "/p[!0-4] /p3 false",
        "/p[!0-4] /p/ false",
        "/p[a&&b] /p& true",
        "/a\\* /a* true",
        "/a\\* /ab false",
        "/a.b /aXb false",
        "/a+(b)|$^ /a+(b)|$^ true",
        "/a,b /a,b true",
        "/a} /a} true",
        "/a*/** /ab/c/d true",
        "/a*/** /ab false",
        "/a*b** /axbc/d true",
        "/a*\\** /ab*c true",
        "/a*\\** /ab*c/d false",
        "/{a,b}/**/c/** /b/c/d true",
        "/größe/?x /größe/😀x true",
        "/😀 /😀 true",
      })
  void patternsMatchAsDocumented(String glob, String path, boolean expected) {
    assertThat(PathGlob.of(glob).matches(path)).as("%s on %s", glob, path).isEqualTo(expected);
  }

  @Test
  void aPlainDirectoryCoversWhatIsBelowIt() {
    assertThat(PathGlob.of("/warehouse").matches("/warehouse/a/b")).isTrue();
    assertThat(PathGlob.of("/warehouse").matches("/warehouse")).isTrue();
    assertThat(PathGlob.of("/a,b").matches("/a,b/c")).isTrue();
    assertThat(PathGlob.of("/warehouse").matches("/warehouse2")).isFalse();
    assertThat(PathGlob.of("/").toString()).isEqualTo("/");
    assertThat(PathGlob.of("/").matches("/any/file")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/plain", "/a*b", "/a{b,c}", "/a[b]", "/a\\b", "/a?", "/größe 😀"})
  void exactlyTakesEveryCharacterLiterally(String path) {
    assertThat(PathGlob.exactly(path).matches(path)).isTrue();
    assertThat(PathGlob.exactly(path).matches(path + "/below")).isTrue();
    assertThat(PathGlob.exactly(path).matches("/other")).isFalse();
    assertThat(PathGlob.exactly("/a*b").matches("/aXb")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a/b",
        "*.gz",
        "**",
        "/a/",
        "/a//b",
        "/a{b",
        "/a[b",
        "/a[]",
        "/a[!]",
        "/a\\",
        "/{a,{b,c}}",
        "/a[z-a]",
        "/a[b/c]"
      })
  void aPatternThatCouldNeverMatchIsRefusedAndNamed(String glob) {
    assertThatThrownBy(() -> PathGlob.of(glob))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + glob);
  }

  @Test
  void aPatternOfOneNameserviceMatchesOnlyThere() {
    PathGlob glob = PathGlob.of("hdfs://ns1/a/**");

    assertThat(glob.nameservice()).contains("ns1");
    assertThat(glob.matches("/a/b")).as("it was not taken into its nameservice").isFalse();
    assertThat(glob.in("ns1").orElseThrow().matches("/a/b")).isTrue();
    assertThat(glob.in("ns1").orElseThrow().matches("/b/b")).isFalse();
    assertThat(glob.in("ns11")).isEmpty();
    assertThat(PathGlob.of("/a/**").in("ns1")).contains(PathGlob.of("/a/**"));
  }

  @Test
  void aPatternOfOneNameserviceCoversNoneOfAnother() {
    assertThat(PathGlob.of("/a/**").covers(PathGlob.of("hdfs://ns1/a/b"))).isTrue();
    assertThat(PathGlob.of("hdfs://ns1/a/**").covers(PathGlob.of("hdfs://ns1/a/b"))).isTrue();
    assertThat(PathGlob.of("hdfs://ns1/a/**").covers(PathGlob.of("hdfs://ns2/a/b"))).isFalse();
    assertThat(PathGlob.of("hdfs://ns1/a/**").covers(PathGlob.of("/a/b"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hdfs://", "hdfs:///a", "hdfs://ns1", "hdfs://{ns1,ns2}/a", "hdfs://*/a"})
  void aNameserviceHasOneNameAndAPath(String glob) {
    assertThatThrownBy(() -> PathGlob.of(glob)).isInstanceOf(IllegalArgumentException.class);
  }
}
