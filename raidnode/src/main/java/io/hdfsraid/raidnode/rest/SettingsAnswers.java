package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.SettingsRequest;
import io.hdfsraid.raidapi.SettingsView;

/** The settings that can be changed while the daemon works. */
public interface SettingsAnswers {
  SettingsView settings();

  /**
   * Changes all that is asked for, or nothing.
   *
   * @throws ApiFailure with all that is wrong with the request
   */
  SettingsView change(SettingsRequest request);
}
