// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnerProcessTest {
  @Test
  void aPidOfAnotherMachineOrContainerOrOfAnEarlierProcessIsNotHere() throws Exception {
    OwnerProcess us = OwnerProcess.current();
    assertThat(us.runsHere()).isTrue();
    assertThat(new OwnerProcess("elsewhere", us.space(), us.pid(), us.ticks()).runsHere())
        .as("another machine")
        .isFalse();
    assertThat(new OwnerProcess(us.host(), us.space() + "2", us.pid(), us.ticks()).runsHere())
        .as("another container")
        .isFalse();
    assertThat(new OwnerProcess(us.host(), us.space(), us.pid(), us.ticks() + "0").runsHere())
        .as("a pid that was given again")
        .isFalse();
  }
}
