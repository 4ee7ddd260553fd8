// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.PrivilegedAction;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HelperThreadsTest {
  private final HelperThreads threads = new HelperThreads();

  @AfterEach
  void stop() {
    threads.shutdownNow();
    CallerContext.setCurrent(null);
  }

  /** Returns who works for whom, as the NameNode's audit log has it. */
  private static String whoWorks() {
    try {
      CallerContext context = CallerContext.getCurrent();
      return UserGroupInformation.getCurrentUser().getShortUserName()
          + " for "
          + (context == null ? "nobody" : context.getContext());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static <T> T as(String user, String context, Supplier<T> work) {
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedAction<T>)
                () -> {
                  CallerContext.setCurrent(
                      context == null ? null : new CallerContext.Builder(context).build());
                  return work.get();
                });
  }

  private static String askedOf(Executor executor) {
    return CompletableFuture.supplyAsync(HelperThreadsTest::whoWorks, executor).join();
  }

  @Test
  void workIsDoneOnBehalfOfWhoGivesIt() {
    assertThat(as("ann", "query 1", () -> askedOf(threads))).isEqualTo("ann for query 1");
    assertThat(as("ben", null, () -> askedOf(threads))).isEqualTo("ben for nobody");
  }

  @Test
  void workThatIsGivenLaterByAnotherIsDoneOnBehalfOfTheFirst() {
    Executor ofAnn = threads.onBehalfOf(as("ann", "query 1", Caller::current));
    assertThat(as("ben", "query 2", () -> askedOf(ofAnn))).isEqualTo("ann for query 1");
  }

  @Test
  void aServiceIsAskedAsTheUserOnWhoseBehalf() throws IOException {
    Caller ann = as("ann", "query 1", Caller::current);
    assertThat(ann.ask(() -> UserGroupInformation.getCurrentUser().getShortUserName()))
        .isEqualTo("ann");
    assertThatThrownBy(
            () ->
                ann.ask(
                    () -> {
                      throw new IOException("refused");
                    }))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("refused");
  }

  /** Say a limit on processes: an application must not end for that. */
  @Test
  void withoutMemoryForAThreadTheWorkIsRejected() {
    HelperThreads none =
        new HelperThreads(
            work -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    assertThatThrownBy(() -> none.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("thread");
    assertThatThrownBy(() -> none.onBehalfOf(Caller.current()).execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
  }
}
