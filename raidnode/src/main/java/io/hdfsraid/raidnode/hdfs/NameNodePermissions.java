// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.hdfs.ParitySettings.AccessRule;
import io.hdfsraid.drfs.namespace.CallPermits;
import io.hdfsraid.raidnode.access.HdfsPermissions;
import io.hdfsraid.raidnode.access.ListRights;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.tools.GetUserMappingsProtocol;

/** Asks the NameNode for modes and ACLs of directories, and for the groups of users. */
public final class NameNodePermissions implements HdfsPermissions, Closeable {
  private final DFSClient client;
  private final GetUserMappingsProtocol mappings;
  private final Supplier<AccessRule> rule;
  private final CallPermits calls;

  /**
   * @param rule {@link AccessRule#INHERIT} if HDFS alone decides
   */
  NameNodePermissions(DistributedFileSystem fs, Supplier<AccessRule> rule, CallPermits calls)
      throws IOException {
    this.client = fs.getClient();
    this.mappings =
        NameNodeProxies.createProxy(
                ofServices(fs.getConf()), fs.getUri(), GetUserMappingsProtocol.class)
            .getProxy();
    this.rule = rule;
    this.calls = calls;
  }

  /** This protocol belongs to no one service: with Kerberos, its caller says to whom it talks. */
  private static Configuration ofServices(Configuration conf) {
    Configuration services = new Configuration(conf);
    services.set(
        CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY,
        conf.get(HdfsClientConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, ""));
    return services;
  }

  @Override
  public boolean decide() {
    return rule.get() == AccessRule.INHERIT;
  }

  @Override
  public Optional<ListRights> of(String directory) throws IOException {
    try {
      calls.await(1);
      HdfsFileStatus status = client.getFileInfo(directory);
      if (status == null || !status.isDirectory()) {
        return Optional.empty();
      }
      if (!status.hasAcl()) {
        return Optional.of(rights(status.getOwner(), status.getGroup(), status.getPermission()));
      }
      calls.await(1);
      return Optional.of(rights(client.getAclStatus(directory)));
    } catch (FileNotFoundException | InvalidPathException | ParentNotDirectoryException e) {
      return Optional.empty();
    } catch (RemoteException e) {
      if (InvalidPathException.class.getName().equals(e.getClassName())) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static ListRights rights(AclStatus acl) {
    Map<String, Boolean> users = new HashMap<>();
    Map<String, Boolean> groups = new HashMap<>();
    FsAction groupMay = FsAction.NONE;
    for (AclEntry entry : acl.getEntries()) {
      if (entry.getScope() != AclEntryScope.ACCESS) {
        continue;
      }
      FsAction may = acl.getEffectivePermission(entry);
      if (entry.getType() == AclEntryType.USER && entry.getName() != null) {
        users.put(entry.getName(), lets(may));
      } else if (entry.getType() == AclEntryType.GROUP && entry.getName() != null) {
        groups.put(entry.getName(), lets(may));
      } else if (entry.getType() == AclEntryType.GROUP) {
        groupMay = may;
      }
    }
    groups.merge(text(acl.getGroup()), lets(groupMay), Boolean::logicalOr);
    return new ListRights(
        text(acl.getOwner()),
        lets(acl.getPermission().getUserAction()),
        users,
        groups,
        lets(acl.getPermission().getOtherAction()));
  }

  private static ListRights rights(String owner, String group, FsPermission mode) {
    return new ListRights(
        text(owner),
        lets(mode.getUserAction()),
        Map.of(),
        Map.of(text(group), lets(mode.getGroupAction())),
        lets(mode.getOtherAction()));
  }

  /** Nobody owns what the NameNode itself adds to the namespace. */
  private static String text(String name) {
    return Objects.requireNonNullElse(name, "");
  }

  private static boolean lets(FsAction may) {
    return may.implies(FsAction.READ_EXECUTE);
  }

  @Override
  public Set<String> groups(String user) throws IOException {
    calls.await(1);
    return Set.copyOf(Arrays.asList(mappings.getGroupsForUser(user)));
  }

  @Override
  public void close() {
    RPC.stopProxy(mappings);
  }
}
