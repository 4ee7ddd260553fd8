// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.settings.SettingsProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a changed {@code policies.yml} in force.
 *
 * <p>Each {@link #look} reads the whole file and compares its content. File times and sizes are not
 * reliable where editors replace files, containers move links, or two changes fall into one second.
 * New content is used only after two looks in a row have found the same, so that a half-written
 * file is not used.
 *
 * <p>A file with mistakes, or a missing file, changes nothing but {@link #state}.
 */
public final class PoliciesWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PoliciesWatch.class);

  private final Path file;
  private final Clock clock;
  private final ZoneId zone;
  private final Function<Policies, Optional<String>> objection;
  private final Consumer<Policies> taker;

  private Policies inForce;
  private volatile State state;

  /** The content that the last look found; empty if there was no file. */
  private Optional<byte[]> found = Optional.empty();

  /** The content that was validated last; empty if none was, or if it must be validated again. */
  private Optional<byte[]> judged = Optional.empty();

  /**
   * Creates a watch.
   *
   * @param inForce the policies that are in force now
   * @param zone time zone of policies that name none
   * @param objection returns why valid policies cannot be put in force, as a clause; empty if they
   *     can
   * @param taker puts other policies in force, on the thread of the look; if it throws, the next
   *     look tries again
   */
  public PoliciesWatch(
      Path file,
      Policies inForce,
      ZoneId zone,
      Clock clock,
      Function<Policies, Optional<String>> objection,
      Consumer<Policies> taker) {
    this.file = file;
    this.objection = objection;
    this.inForce = inForce;
    this.zone = zone;
    this.clock = clock;
    this.taker = taker;
    this.state = new State(clock.instant(), Optional.empty(), List.of());
  }

  /**
   * The state of the file.
   *
   * @param inForceSince since when the current policies are in force
   * @param refusal why the policies of the file are not in force; empty if they are
   * @param warnings warnings about the policies in force
   */
  public record State(
      Instant inForceSince, Optional<Refusal> refusal, List<SettingsProblem> warnings) {
    public State {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * Why the policies of the file are not in force.
   *
   * @param since when this was found
   */
  public record Refusal(Instant since, List<SettingsProblem> problems) {
    public Refusal {
      problems = List.copyOf(problems);
    }
  }

  /** Returns the state without waiting for a running look. */
  public State state() {
    return state;
  }

  /**
   * Reads the file and puts its policies in force if they are new, unchanged since the last look,
   * and valid.
   */
  public synchronized void look() {
    Optional<byte[]> before = found;
    try {
      found = Optional.of(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      miss("is gone; the policies that were read before stay in force");
      return;
    } catch (IOException e) {
      miss("cannot be read; the policies that were read before stay in force: " + e);
      return;
    }
    if (isSame(found, before) && !isSame(found, judged)) {
      judge(found.get());
    }
  }

  private void miss(String message) {
    found = Optional.empty();
    judged = Optional.empty();
    refuse(List.of(new SettingsProblem(file, Optional.empty(), "", message)));
  }

  private void judge(byte[] content) {
    try {
      SettingsFiles.CheckedPolicies read =
          SettingsFiles.checkPolicies(
              file, new String(content, StandardCharsets.UTF_8), clock, zone);
      Optional<String> refused = objection.apply(read.policies());
      if (refused.isPresent()) {
        throw new SettingsException(
            List.of(new SettingsProblem(file, Optional.empty(), "", refused.get())));
      }
      boolean changed = !read.policies().equals(inForce);
      if (changed) {
        taker.accept(read.policies());
        inForce = read.policies();
        LOG.atInfo()
            .addKeyValue("policies", inForce.inOrder().stream().map(Policy::name).toList())
            .addKeyValue("warnings", read.warnings().size())
            .log("Other policies are in force");
      }
      state =
          new State(
              changed ? clock.instant() : state.inForceSince(), Optional.empty(), read.warnings());
    } catch (SettingsException e) {
      refuse(e.problems());
    }
    judged = Optional.of(content);
  }

  /** Records a refusal and keeps its time if it was found before. */
  private void refuse(List<SettingsProblem> problems) {
    boolean known = state.refusal().map(Refusal::problems).filter(problems::equals).isPresent();
    if (!known) {
      state =
          new State(
              state.inForceSince(),
              Optional.of(new Refusal(clock.instant(), problems)),
              state.warnings());
      LOG.atWarn()
          .addKeyValue("mistakes", problems.size())
          .addKeyValue("first", problems.get(0))
          .log("The policies of the file are refused; those read before stay in force");
    }
  }

  private static boolean isSame(Optional<byte[]> one, Optional<byte[]> other) {
    return one.isPresent() && other.isPresent() && Arrays.equals(one.get(), other.get());
  }
}
