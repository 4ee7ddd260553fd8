// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.raidnode.access.Users;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.HadoopKerberosName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Users by Hadoop's rules for principals ({@code hadoop.security.auth_to_local}), and groups by its
 * group mapping, which remembers them for a while ({@code hadoop.security.groups.cache.secs}).
 */
public final class HadoopUsers implements Users {
  private static final Logger LOG = LoggerFactory.getLogger(HadoopUsers.class);

  private final Groups groups;

  private HadoopUsers(Groups groups) {
    this.groups = groups;
  }

  /**
   * Returns the users by the Hadoop configuration on the class path. Its rules for principals then
   * hold in the whole process, as those of Hadoop's client do.
   *
   * @throws IOException if Java knows no default realm
   */
  public static HadoopUsers configured() throws IOException {
    Configuration hadoop = new HdfsConfiguration();
    HadoopKerberosName.setConfiguration(hadoop);
    return new HadoopUsers(new Groups(hadoop));
  }

  @Override
  public String user(String principal) throws IOException {
    return new HadoopKerberosName(principal).getShortName();
  }

  @Override
  public Set<String> groups(String user) {
    try {
      return groups.getGroupsSet(user);
    } catch (IOException e) { // this is also how Hadoop says that there are none
      LOG.debug("No groups of {} are known", user, e);
      return Set.of();
    }
  }
}
