// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.yarn.task.TaskMail;
import io.hdfsraid.yarn.work.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StripeJobFilesTest {
  private static final String ATTEMPT = "attempt_1700000000000_0001_m_000000_0";

  @TempDir private Path folder;

  private StripeJobFiles files;
  private TaskMail task;

  @BeforeEach
  void open() throws IOException {
    Files.createDirectory(folder.resolve("mail"));
    FileSystem fileSystem = FileSystem.getLocal(new Configuration());
    files = new StripeJobFiles(fileSystem, folder.toString());
    task = new TaskMail(fileSystem, folder.resolve("mail").toString(), ATTEMPT);
  }

  @Test
  void whatATaskSaysIsHeardOnce() throws IOException {
    Answer sent = new Answer.Sent(3, ATTEMPT, Map.of(Distance.SAME_RACK, 5L << 30));
    Answer failed = new Answer.Failed(4, 0, ATTEMPT, "host: " + "no replica; ".repeat(50));
    task.say(sent);
    task.say(failed);

    assertThat(files.answers()).containsExactlyInAnyOrder(sent, failed);
    assertThat(files.answers()).isEmpty();
    assertThat(folder.resolve("mail")).isEmptyDirectory();
  }

  @Test
  void whatATaskIsToldIsForItsWorkAlone() throws IOException {
    assertThat(task.told(3)).isEmpty();

    files.tell(3, ATTEMPT, 12);
    files.tellToDrop(3, ATTEMPT);
    files.tell(4, ATTEMPT, 5);
    files.tell(3, "attempt_of_another", 6);

    assertThat(task.told(3)).containsExactlyInAnyOrder("12", "drop");
  }

  @Test
  void anEntryThatIsNoAnswerHidesNoOther() throws IOException {
    Files.createDirectories(folder.resolve("mail").resolve("answer-0-0.AAAA!"));
    assertThatIOException().isThrownBy(files::answers).withMessageContaining("answer-0-0.AAAA!");
    Answer finished = new Answer.Finished(3, ATTEMPT, 12);
    task.say(finished);

    assertThat(files.answers()).containsExactly(finished);
  }

  @Test
  void aTaskWhoseJobHasEndedLeavesNothing() throws IOException {
    Files.delete(folder.resolve("mail"));

    assertThatIOException()
        .isThrownBy(() -> task.say(new Answer.Finished(3, ATTEMPT, 12)))
        .withMessageContaining("has ended this job");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void whatATaskHasNotFinishedWritingIsNotRead() throws IOException {
    Files.write(folder.resolve("mail").resolve("unfinished-" + ATTEMPT + "-0"), new byte[] {1});

    assertThat(files.answers()).isEmpty();
  }
}
