// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import io.dropwizard.core.server.DefaultServerFactory;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.settings.SettingsProblem;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.yarn.job.ContainerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The complete, validated configuration of the daemon.
 *
 * @param folder the folder in which relative paths begin
 * @param place of the daemon among those of its process; empty if it is the only one
 */
public record Settings(
    RaidNodeConfiguration node, Policies policies, Path folder, Optional<Place> place) {

  /**
   * The place of a daemon in a process that guards several nameservices.
   *
   * @param amongst how many daemons the process has
   */
  public record Place(String nameservice, int amongst) {
    /** Returns below which path of HTTP the daemon answers. */
    public String httpPath() {
      return pathOf(nameservice);
    }

    /** Returns below which path of HTTP the daemon of a nameservice answers. */
    public static String pathOf(String nameservice) {
      return ApiPaths.NAMESERVICES + nameservice;
    }
  }

  public Settings(RaidNodeConfiguration node, Policies policies, Path folder) {
    this(node, policies, folder, Optional.empty());
  }

  /**
   * Returns the same settings for one of several nameservices, whose daemon answers below a path of
   * its own. Changes the server of the configuration, so these must have been read for it alone.
   *
   * @throws SettingsException if the server of the configuration has no paths
   */
  public Settings of(Place own) throws SettingsException {
    if (!(node.getServerFactory() instanceof DefaultServerFactory server)) {
      throw new SettingsException(
          List.of(
              new SettingsProblem(
                  folder.resolve("raidnode.yml"),
                  Optional.empty(),
                  "server.type",
                  "must be default: the daemon guards %d nameservices, and each has a path of its own"
                      .formatted(own.amongst()))));
    }
    server.setApplicationContextPath(own.httpPath());
    server.setAdminContextPath(own.httpPath());
    return new Settings(node, policies, folder, Optional.of(own));
  }

  /** Returns the folder of the daemon's catalog. */
  public Path catalogDirectory() {
    Path all = processDirectory();
    return place.map(own -> all.resolve(own.nameservice())).orElse(all);
  }

  /** Returns the folder of the process: that of its only daemon, or one with theirs in it. */
  public Path processDirectory() {
    return folder.resolve(node.catalog().directory()).normalize();
  }

  /** Returns the file with the keys of the principal; empty if none is set. */
  public Optional<Path> keytab() {
    return node.hadoop().keytab(folder);
  }

  /** Returns the file with the keys of the principal of the API; empty if none is set. */
  public Optional<Path> apiKeytab() {
    return node.api().kerberos().keytab(folder);
  }

  /** Returns what jobs ask of YARN. */
  public ContainerSettings containers() {
    return node.yarn().container(folder);
  }

  public Path tokensFile() {
    return folder.resolve(node.api().tokensFile()).normalize();
  }
}
