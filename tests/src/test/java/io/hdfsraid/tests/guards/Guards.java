package io.hdfsraid.tests.guards;

import java.util.List;

/** The list; in the order in which a file meets them. */
final class Guards {
  private static final String RAID = "raidnode.raid.RaidGuardsTest.";
  private static final String RAIDER = "raidnode.raid.RaiderTest.";
  private static final String AUDITOR = "raidnode.raid.AuditorTest.";
  private static final String GROUP = "raidnode.raid.GroupTest.";
  private static final String REPAIRER = "blockfixer.repair.StripeRepairerTest.";
  private static final String ROUND = "raidnode.raid.RepairRoundTest.";
  private static final String SCRUBBER = "blockfixer.scrub.ScrubberTest.";
  private static final String SCRUB = "raidnode.raid.ScrubRoundTest.";
  private static final String NEEDED = "raidnode.raid.NeededParityTest.";
  private static final String WITHDRAWAL = "raidnode.raid.WithdrawalRoundTest.";
  private static final String LOCATOR = "drfs.stripe.StripeLocatorTest.";
  private static final String STORE = "drfs.hdfs.HdfsParityStoreTest.";

  private static final String COLD = "raidnode.recency.RecencyTest.";

  static final List<Guard> ALL =
      List.of(
          // Choosing
          new Guard(
              "what was never watched is not cold",
              "policies.Judge",
              "finding.is(Answer.NO) ? requirement.otherwise() : Reason.INSUFFICIENT_HISTORY,",
              "requirement.otherwise(),",
              "policies.JudgeTest.aFileIsNotColdAsLongAsNobodyHasWatchedForColdAfter"),
          new Guard(
              "a source in doubt proves nothing cold",
              "raidnode.recency.Sources",
              ".filter(state -> state.problem().isEmpty())",
              ".filter(state -> true)",
              "raidnode.recency.SourcesTest.aClockThatJumpsTakesAllTrackingAway"),
          new Guard(
              "nothing is cold before the edits after an image are taken in",
              "raidnode.recency.Recency",
              "index.transaction().orElse(-1) >= caughtUpAt",
              "index.transaction().isPresent()",
              COLD + "nothingIsColdBetweenAnOlderImageAndTheEditsAfterIt"),
          new Guard(
              "nothing is cold while edits are missing",
              "raidnode.recency.Recency",
              "&& !edits.awaitsImage()",
              "",
              COLD + "nothingIsColdWhileEditsAreMissing"),
          new Guard(
              "nothing is cold once edits have not been read for long",
              "raidnode.recency.Recency",
              "clock.instant().isBefore(caughtUp.plus(PATIENCE))",
              "true",
              COLD + "anAuditLogWaitsWhileTheEditLogCannotBeReadForItTellsOfPathsThatNobodyKnows"),
          new Guard(
              "an audit log is read once its files are known",
              "raidnode.recency.Recency",
              "audit.isPresent() && known",
              "audit.isPresent()",
              COLD + "anAuditLogIsReadOnceItsFilesAreKnown"),
          new Guard(
              "a file of which nothing but its path is known is not raided",
              "raidnode.rounds.LastLook",
              "return file.provisional() || file.stale();",
              "return false;",
              "raidnode.rounds.RaidPlannerTest.ofWhatHasNoNumberYetTheDirectoryIsListedAndNothingIsRaided"),
          new Guard(
              "a file that was read since it was chosen is left",
              "raidnode.rounds.LastLook",
              "verdict(facts, recency.tracking())",
              "verdict(facts.withAccess(java.time.Instant.EPOCH), recency.tracking())",
              "raidnode.raid.RaidRoundTest.aFileThatIsReadBeforeItsTurnIsLeft"),
          new Guard(
              "a file that was read since it was listed is left",
              "raidnode.rounds.LastLook",
              "if (now.isPresent() && recency.isListed()) {",
              "if (false) {",
              "raidnode.raid.RaidRoundTest.aFileThatIsReadOrWrittenOrRemovedSinceItsListingIsLeft"),
          new Guard(
              "what access times are too coarse to tell is not cold",
              "policies.Condition",
              "plus(time).plus(grain)",
              "plus(time)",
              "policies.ConditionTest.whatAccessTimesDoNotTellMayHaveHappenedUntilTheyTellAgain"),
          new Guard(
              "no clock is believed that another contradicts",
              "raidnode.recency.ClockWatch",
              "Duration.between(nameNode, here).abs()",
              "Duration.ZERO",
              "raidnode.recency.ClockWatchTest.aNameNodeThatShowsAnotherTimeIsAProblemAlsoRightFromTheStart"),
          new Guard(
              "what an operator let go stays let go",
              "raidnode.rounds.ScanRound",
              "|| record.facts().is(Trait.LET_GO) || wasRefusedLately",
              "|| wasRefusedLately",
              "raidnode.rounds.ScanRoundTest.whatAnOperatorLetGoIsLeftAndKept"),
          // Raiding
          new Guard(
              "an open file is not raided",
              "raidnode.raid.SourceCheck",
              "if (source.underConstruction()) {",
              "if (false) {",
              RAID + "aFileThatIsOpenedWhileItIsEncodedIsLeft"),
          new Guard(
              "a file with a lost block is not reduced",
              "raidnode.raid.SourceCheck",
              "if (block.live().stream().noneMatch(Replica::inService)) {",
              "if (false) {",
              RAID + "aBlockThatIsLostAfterTheCommitKeepsTheReplicationUp"),
          new Guard(
              "blocks are compared by id, stamp and length",
              "raidnode.raid.SourceCheck",
              "&& new HashSet<>(recorded).equals(new HashSet<>(source.contents()))",
              "&& !new HashSet<>(recorded).isEmpty()",
              RAIDER + "whateverAUserDoesAfterAnyStepTheFileStaysProtected"),
          new Guard(
              "a node for each unit of a stripe",
              "raidnode.raid.SourceCheck",
              "if (inService.size() < needed) {",
              "if (false) {",
              RAIDER + "tooFewNodesAreRefusedWithTheArithmetic"),
          new Guard(
              "nodes enough have room for a parity unit",
              "raidnode.raid.SourceCheck",
              "if (withRoom < m) {",
              "if (false) {",
              RAIDER + "whereTooFewNodesHaveRoomForAParityUnitNothingIsWritten"),
          new Guard(
              "all parity of a file has room beside its replicas",
              "raidnode.raid.SourceCheck",
              "if (free < parity) {",
              "if (false) {",
              RAIDER + "whereTheParityAsAWholeHasNoRoomNothingIsWritten"),
          new Guard(
              "a rotten replica met while encoding is reported first",
              "raidnode.raid.ParityBuilder",
              "if (rotten.isPresent()) {",
              "if (false) {",
              RAIDER + "aRottenReplicaThatWasMetWhileEncodingIsReportedAndTheFileIsLeft"),
          new Guard(
              "lost units prove nothing",
              "raidnode.raid.ParityProver",
              "if (!stripe.lost().isEmpty()) {",
              "if (false) {",
              RAID + "parityThatIsLostBeforeItIsProvenAgainKeepsTheReplicationUp"),
          new Guard(
              "parity lies on m different nodes",
              "raidnode.raid.ParityProver",
              "requireParityApart(stripe); for",
              "for",
              RAID + "twoParityUnitsOnOneNodeAreNotBuiltOn"),
          new Guard(
              "every replica is asked for its checksum",
              "raidnode.raid.ParityProver",
              "for (Replica replica : block.live()) { questions",
              "for (Replica replica : block.live().subList(0, 1)) { questions",
              RAIDER + "oneReplicaWithOtherContentKeepsTheReplicationUp"),
          new Guard(
              "a checksum must be the recorded one",
              "raidnode.raid.ParityProver",
              "return answer == unit.crc()",
              "return true",
              RAIDER + "oneReplicaWithOtherContentKeepsTheReplicationUp"),
          new Guard(
              "a replica that does not answer is unproven",
              "raidnode.raid.ParityProver",
              "} catch (IOException e) { return Optional.of(",
              "} catch (IOException e) { if (true) { return Optional.empty(); } return Optional.of(",
              RAID + "aReplicaThatGivesNoAnswerIsNotBuiltOn"),
          new Guard(
              "fence before commit",
              "raidnode.raid.Raider",
              "cluster.fence().pass(); ParityFile committed = draft.commit();",
              "ParityFile committed = draft.commit();",
              RAID + "aDeposedDaemonCommitsNothing"),
          new Guard(
              "few stripes are unaudited at once",
              "raidnode.raid.UnauditedStripes",
              "if (!stripes.isEmpty() && total() + count > limit) {",
              "if (false) {",
              RAIDER + "filesWaitCommittedWhileTooManyStripesAreUnaudited"),
          new Guard(
              "what waits for its audit stays counted",
              "raidnode.raid.Auditor",
              "unaudited.found(id, Math.toIntExact(unsettled));",
              "unaudited.audited(id);",
              AUDITOR + "aStripeThatWaitsForItsExcessReplicasHoldsUpNoOther"),
          new Guard(
              "held by a snapshot is what a snapshot asks for, block by block",
              "raidnode.raid.Auditor",
              "if (expected <= parity.manifest().targetReplication()) {",
              "if (false) {",
              AUDITOR + "aFileIsHeldOnlyWhenAllThatHasExcessReplicasIs"),
          new Guard(
              "the source is looked at again before its replication goes down",
              "raidnode.raid.Raider",
              "sources.unchanged(inode, manifest); requireWhole(inode, proof);",
              "requireWhole(inode, proof);",
              RAID + "aFileThatChangesAfterTheCommitKeepsItsReplication"),
          new Guard(
              "the parity is looked at again before the replication goes down",
              "raidnode.raid.Raider",
              "requireWhole(inode, proof); cluster.fence().pass();",
              "cluster.fence().pass();",
              RAID + "parityThatIsLostAfterItWasProvenKeepsTheReplicationUp"),
          new Guard(
              "fence before reduction",
              "raidnode.raid.Raider",
              "cluster.fence().pass(); cluster.namespace().setReplication(inode, manifest.targetReplication());",
              "cluster.namespace().setReplication(inode, manifest.targetReplication());",
              RAID + "aDaemonThatIsDeposedAfterItsCommitDoesNotReduce"),
          new Guard(
              "parity that vanishes meanwhile raises the replication again",
              "raidnode.raid.Raider",
              "if (!stillThere) {",
              "if (false) {",
              RAID + "parityThatVanishesWhileTheReplicationIsLoweredRaisesItAgain"),
          new Guard(
              "a replication that a user changed is not lowered",
              "raidnode.raid.SourceCheck",
              "if (source.replication() != manifest.originalReplication()",
              "if (false && source.replication() != manifest.originalReplication()",
              RAIDER + "aReplicationThatAUserChangesWhileItIsEncodedIsNotLowered"),
          new Guard(
              "one task works on a file",
              "raidnode.raid.FilesInWork",
              "if (!ids.add(id)) {",
              "if (!ids.add(id) && false) {",
              RAID + "aFileIsWorkedOnByOneTask"),
          // Letting go
          new Guard(
              "what is retiring goes on retiring",
              "raidnode.raid.Guardian",
              "if (parity.phase() == ParityPhase.RETIRING ||",
              "if (",
              RAIDER + "aDaemonThatDiesWhileLettingGoIsTakenUpByTheNext"),
          new Guard(
              "a changed file gets its replicas back",
              "raidnode.raid.Guardian",
              "|| !SourceCheck.matches(source, manifest)) {",
              ") {",
              RAID + "aChangedFileHasItsReplicasBackBeforeItsParityGoes"),
          new Guard(
              "condemned replicas do not let parity go",
              "raidnode.raid.Unraider",
              ".filter(block -> inService(block) < wanted).count(); if (lacking == 0) {",
              ".filter(block -> inService(block) < wanted).count(); if (false) {",
              RAIDER + "replicasThatAreOnTheirWayOutDoNotLetTheParityGo"),
          new Guard(
              "fence before quarantine",
              "raidnode.raid.Unraider",
              "cluster.fence().pass(); cluster.parity().quarantine(parity);",
              "cluster.parity().quarantine(parity);",
              RAID + "aDeposedDaemonLetsNoParityGo"),
          new Guard(
              "who still holds the blocks is asked before parity of a lost inode goes",
              "raidnode.raid.Guardian",
              "if (holders.values().stream().anyMatch(holder -> holder.liveReplicas() < original)) {",
              "if (false) {",
              RAIDER + "aFileThatIsGoneKeepsItsParityWhileASnapshotHoldsItsBlocks"),
          new Guard(
              "fence before parity of a lost inode goes",
              "raidnode.raid.Guardian",
              "cluster.fence().pass(); cluster.parity().quarantine(parity);",
              "cluster.parity().quarantine(parity);",
              RAID + "parityOfADeletedFileIsNotTouchedByADeposedDaemon"),
          new Guard(
              "a replication below the target is put back",
              "raidnode.raid.Guardian",
              "if (source.replication() < manifest.targetReplication()) {",
              "if (false) {",
              RAIDER + "aReplicationBelowTheTargetIsPutBackAndOneAboveIsLeft"),
          new Guard(
              "a file whose parity is gone gets its replicas back",
              "raidnode.raid.Guardian",
              "if (file.isPresent() && file.get().replication() < originalReplication) {",
              "if (false) {",
              RAIDER + "aFileWhoseParityIsGoneGetsItsReplicasBack"),
          new Guard(
              "a block that lacks replicas keeps quarantined parity",
              "raidnode.raid.Quarantine",
              "if (live < enough) {",
              "if (false) {",
              "raidnode.raid.QuarantineTest.aBlockThatLacksReplicasKeepsTheParityAndSaysWhy"),
          new Guard(
              "fence before purge",
              "raidnode.raid.Quarantine",
              "cluster.fence().pass(); cluster.parity().purge(kept);",
              "cluster.parity().purge(kept);",
              "raidnode.raid.QuarantineTest.aDeposedDaemonNeitherRestoresNorPurges"),
          new Guard(
              "parity that a file needs is put back by the integrity check",
              "raidnode.rounds.IntegrityRound",
              "quarantine.reviveNeeded().forEach(id -> revived.add(() -> check(id)));",
              "",
              NEEDED + "theIntegrityCheckPutsTheParityBackAlsoWhenTheNameNodeListsNothing"),
          new Guard(
              "parity that a file needs is put back for what the NameNode lists",
              "raidnode.rounds.IntegrityRound",
              "quarantine.reviveNeeded(id.get());",
              "",
              NEEDED + "theNameNodesListIsEnough"),
          new Guard(
              "as many listed losses as before are news when those were repaired",
              "raidnode.rounds.ReportedLosses",
              "mended.contains(id) || mendedBefore.contains(id)",
              "mended.contains(id) && mendedBefore.contains(id)",
              ROUND + "asManyListedLossesAsBeforeAreOthersWhenThoseWereRepairedMeanwhile"),
          new Guard(
              "a stripe that silent nodes put at risk is judged by the word of DataNodes",
              "raidnode.rounds.IntegrityRound",
              "if (!onlyOn(nodes, stripe).isEmpty()) {",
              "if (onlyOn(nodes, stripe).size() < 0) {",
              ROUND + "aStripeThatASilentNodePutsAtRiskIsRepairedBeforeThatNodeIsGivenUp"),
          new Guard(
              "the integrity check asks where silent nodes would take the last tolerance",
              "raidnode.rounds.IntegrityRound",
              ".plus(there)) <= 0;",
              ".plus(there)) < -99;",
              ROUND + "theIntegrityCheckAsksWhereSilentNodesTogetherWouldTakeTheLastTolerance"),
          new Guard(
              "parity that is put back for a repair lowers nothing",
              "raidnode.raid.Quarantine",
              "takeBack(kept, ParityPhase.RETIRING, fitness)",
              "takeBack(kept, ParityPhase.COMMITTED, fitness)",
              NEEDED + "theIntegrityCheckPutsTheParityBackAlsoWhenTheNameNodeListsNothing"),
          new Guard(
              "a withdrawal begins only when all replicas have room",
              "raidnode.request.WithdrawalRequests",
              "if (bytes > remaining) {",
              "if (false) {",
              WITHDRAWAL + "whatTheReplicasHaveNoRoomForIsNotBegun"),
          new Guard(
              "who resumes while a withdrawal purges is heard",
              "raidnode.rounds.WithdrawalRound",
              "if (intent.withdrawal().equals(wish)) {",
              "if (true) {",
              WITHDRAWAL + "resumedWhileItPurgesItLeavesTheRest"),
          // Groups
          new Guard(
              "what stands at risk in a group is replicated before it is encoded again",
              "raidnode.raid.GroupKeeper",
              "replicas.raise(group, risk.atRisk(roll), parity.manifest().originalReplication());",
              "Map.of();",
              GROUP + "whenAStripeCouldNotBearAnotherLossEverythingInItIsReplicatedFirst"),
          new Guard(
              "members that changed or leave get their replicas back",
              "raidnode.raid.GroupReplicas",
              "outcomes.putAll(refused(raise(group, exposed, original), Stage.RETIRING, parity));",
              "",
              GROUP + "whateverBefallsAMemberAfterAnyStepAllOfThemStayProtected"),
          new Guard(
              "lost blocks of members are repaired before the group is encoded again",
              "raidnode.raid.GroupKeeper",
              "if (staying.stream().anyMatch(FileState::hasLostBlocks)) {",
              "if (false) {",
              GROUP + "lostBlocksOfMembersAreRepairedBeforeTheGroupIsEncodedAgain"),
          new Guard(
              "a group that has a successor is not encoded again",
              "raidnode.raid.GroupKeeper",
              "if (candidate.isAfter(group) && cluster.parity().find(candidate.value()).isPresent()) {",
              "if (false) {",
              GROUP + "aGroupIsEncodedAgainWithoutADeletedMemberAndTheOldParityGoes"),
          new Guard(
              "the old parity of a group stays until its successor is audited",
              "raidnode.raid.GroupKeeper",
              "if (!inherited.isAt(Stage.RAIDED)) {",
              "if (false) {",
              GROUP + "theOldParityStaysUntilTheSuccessorIsAudited"),
          new Guard(
              "the old parity of a group stays while something holds its blocks",
              "raidnode.raid.GroupKeeper",
              "if (lacking.isPresent()) {",
              "if (false) {",
              GROUP + "theOldParityStaysWhileASnapshotHoldsBlocksOfADeletedMember"),
          new Guard(
              "condemned replicas do not let parity of a group go",
              "raidnode.raid.GroupKeeper",
              "if (waiting.isPresent()) {",
              "if (false) {",
              GROUP + "replicasThatAreOnTheirWayOutDoNotLetTheParityOfAGroupGo"),
          new Guard(
              "who is let go does not come back through the group before",
              "raidnode.raid.GroupKeeper",
              "isThere ? release(before, inodes)",
              "false ? release(before, inodes)",
              GROUP + "whoIsLetGoByASuccessorDoesNotComeBackThroughTheGroupBeforeIt"),
          new Guard(
              "who belongs to a new group is written down before it is committed",
              "raidnode.raid.GroupEncoder",
              "memberships.joined( group, members.stream()",
              "List.of( group, members.stream()",
              GROUP + "membersOfANewGroupAreWrittenDownBeforeItsCommit"),
          new Guard(
              "who belongs to a successor is written down once it is committed",
              "raidnode.raid.GroupEncoder",
              "memberships.joined(group, members);",
              "",
              GROUP + "membersAreWrittenDownForTheSuccessorOnceItIsCommitted"),
          new Guard(
              "an unfit file is left out of its group",
              "raidnode.raid.GroupEncoder",
              "fit.keySet().removeAll(unfit.files.keySet());",
              "",
              GROUP + "aFileThatCannotBeProvenIsLeftOutAndTheGroupMadeWithoutIt"),
          new Guard(
              "fence before a group is committed",
              "raidnode.raid.GroupEncoder",
              "cluster.fence().pass(); ParityFile committed = draft.commit();",
              "ParityFile committed = draft.commit();",
              GROUP + "aDeposedDaemonCommitsNoGroup"),
          new Guard(
              "only files with the same rights share parity",
              "raidnode.raid.Kin",
              ".max(Comparator.comparingInt(List::size)).orElse(List.of())",
              ".flatMap(List::stream).toList()",
              GROUP + "aFileThatCannotBeProvenIsLeftOutAndTheGroupMadeWithoutIt"),
          new Guard(
              "what has parity is in no second group",
              "raidnode.raid.GroupRaider",
              "if (cluster.parity().find(inode).isPresent() || younger.isInGroup(inode)) {",
              "if (false) {",
              GROUP + "filesOfAGroupAreInNoSecondOne"),
          new Guard(
              "a file of a group is not raided alone",
              "raidnode.raid.Raider",
              "if (younger.isInGroup(inode)) {",
              "if (false) {",
              GROUP + "aFileOfAGroupIsNotRaidedAlone"),
          new Guard(
              "old parity does not go because of a successor that is not audited",
              "raidnode.raid.YoungerParity",
              ".filter(noted -> noted.family() != group.family())",
              "",
              GROUP + "theOldParityIsNotLetGoOnTheWordOfASuccessorThatIsNotAudited"),
          new Guard(
              "a file's own word for its group counts when our notes are lost",
              "raidnode.raid.YoungerParity",
              "|| names(cluster.parity().hintOf(inode), inode)",
              "",
              GROUP + "aFileOfAGroupIsNotRaidedAloneWhenTheNotesAreLost"),
          new Guard(
              "parity of blocks that a file had before does not replace that of its group",
              "raidnode.raid.YoungerParity",
              ".filter(parity -> SourceCheck.matches(file, parity.manifest()))",
              "",
              "raidnode.raid.YoungerParityTest.parityOfBlocksThatTheFileHadBeforeAnAppendDoesNotReplaceThatOfItsGroup"),
          new Guard(
              "one task works on the members of a group",
              "raidnode.raid.FilesInWork",
              "if (!ids.add(inode)) {",
              "if (!ids.add(inode) && false) {",
              GROUP + "aFileThatIsBeingEncodedInAGroupIsEncodedNeitherAloneNorInAnother"),
          new Guard(
              "members stay in their group until its successor is committed",
              "raidnode.raid.GroupEncoder",
              ".filter(inode -> memberships.groupOf(inode).filter(group::isAfter).isEmpty())",
              "",
              GROUP + "membersStayInTheirGroupWhileItsSuccessorIsNotCommitted"),
          new Guard(
              "a group raises nobody who has younger parity",
              "raidnode.raid.GroupReplicas",
              "if (!elsewhere.contains(file.inode())) {",
              "if (true) {",
              GROUP + "membersThatWereRaidedAgainAreLeftInPeaceByTheGroupThatASnapshotKeeps"),
          new Guard(
              "what a quota keeps down is not said to be protected",
              "raidnode.raid.GroupKeeper",
              "if (outcomes.values().stream().noneMatch(GroupKeeper::isKeptDown)) {",
              "if (true) {",
              GROUP + "aMemberAtItsQuotaIsNamedAndTheOthersOfAStripeAtRiskAreReplicatedAllTheSame"),
          new Guard(
              "more replicas, which a user asked for meanwhile, are not taken away",
              "raidnode.raid.Raising",
              ".filter(file -> file.replication() >= replication)",
              ".filter(file -> false)",
              "raidnode.raid.RaisingTest.replicasThatAUserHasAskedForMeanwhileAreNotTakenAway"),
          new Guard(
              "all members are looked at before the first is reduced",
              "raidnode.raid.GroupRaider",
              "unchangedOrRaised(member.inode(), manifest); }",
              "}",
              GROUP + "whenTheLastMemberChangesAfterTheCommitNoneIsReduced"),
          new Guard(
              "each member is looked at again before it is reduced",
              "raidnode.raid.GroupRaider",
              "if (unchangedOrRaised(member.inode(), manifest)) {",
              "if (true) {",
              GROUP + "whateverBefallsAMemberAfterAnyStepAllOfThemStayProtected"),
          new Guard(
              "the parity of a group is looked at again before its members are reduced",
              "raidnode.raid.GroupRaider",
              "requireWhole(group, proof);",
              "",
              GROUP + "parityThatIsLostAfterItWasProvenKeepsTheReplicationOfAllMembersUp"),
          new Guard(
              "fence before each member is reduced",
              "raidnode.raid.GroupRaider",
              "cluster.fence().pass(); cluster.namespace().setReplication(member.inode(), manifest.targetReplication());",
              "cluster.namespace().setReplication(member.inode(), manifest.targetReplication());",
              GROUP + "aDaemonThatIsDeposedAfterItsCommitReducesNoMember"),
          new Guard(
              "parity of a group that vanishes meanwhile raises the replication again",
              "raidnode.raid.GroupRaider",
              "if (!stillThere) {",
              "if (false) {",
              GROUP + "parityThatVanishesWhileMembersAreReducedRaisesThemAgain"),
          new Guard(
              "nothing comes under two parities out of quarantine",
              "raidnode.raid.Quarantine",
              "if (inAGroup || cluster.parity().find(inode).isPresent()) {",
              "if (false) {",
              GROUP + "parityOfAGroupIsNotPutBackWhileAMemberIsUnderOtherParity"),
          new Guard(
              "parity of a group comes back when any member is in danger",
              "raidnode.raid.Quarantine",
              "for (long inode : membersOf(kept)) { Optional<FileState> source",
              "for (long inode : membersOf(kept).subList(0, 1)) { Optional<FileState> source",
              GROUP + "quarantinedParityOfAGroupIsPutBackWhenABlockIsInDangerAndReturnsByItself"),
          // What HDFS shows
          new Guard(
              "a router is known",
              "raidnode.hdfs.NameNodeAddress",
              "return Optional.of( \"%s is a router:",
              "if (true) { return Optional.empty(); } return Optional.of( \"%s is a router:",
              "raidnode.hdfs.NameNodeAddressTest.aRouterIsKnownByWhatItDoesNotSupportAndTheNameservicesBehindItAreNamed"),
          new Guard(
              "no daemon works on a router",
              "raidnode.hdfs.HdfsCluster",
              "refuse(address.problem(fs.getClient().getNamenode()));",
              "",
              "offline.doctor.RouterTest.noDaemonWorksOnARouterAndNothingIsChangedThere"),
          new Guard(
              "an answer by inode path must be that inode",
              "drfs.hdfs.HdfsNamespace",
              ".filter(file -> file.inode() == inode)",
              ".filter(file -> true)",
              "drfs.hdfs.HdfsNamespaceTest.anInodeThatLivesOnlyInASnapshotIsGoneAlthoughItsPathResolves"),
          new Guard(
              "after a change the inode path must still mean the inode",
              "drfs.hdfs.HdfsNamespace",
              "if (after.getFileId() != inode) {",
              "if (false) {",
              "drfs.hdfs.HdfsNamespaceTest.aFileThatTakesThePlaceDuringTheCallGetsItsReplicationBackAlsoWhenTheAnswerIsLost"),
          new Guard(
              "the last block of an open file is not trusted",
              "drfs.stripe.StripeLocator",
              "return file.underConstruction() && !blocks.isEmpty()",
              "return false",
              LOCATOR + "theLastBlockOfAFileThatIsOpenIsNotTrusted"),
          new Guard(
              "parity of another length is not trusted",
              "drfs.stripe.StripeLocator",
              ".filter(block -> block.block().length() == length)",
              ".filter(block -> true)",
              LOCATOR + "parityThatIsCutOffOrOfAnotherLengthIsChanged"),
          new Guard(
              "changed units are no helpers",
              "drfs.stripe.LocatedStripe",
              "return standing(Standing.LIVE).plus(standing(Standing.ABSENT));",
              "return standing(Standing.LIVE).plus(standing(Standing.ABSENT)).plus(changed());",
              REPAIRER + "changedUnitsAreNeitherReadNorDelivered"),
          new Guard(
              "a manifest has a checksum of its own",
              "drfs.manifest.ManifestFormat",
              "if ((int) crc.getValue() != recorded) {",
              "if (false) {",
              "drfs.manifest.ManifestFormatTest.everyFlippedBitIsFound"),
          new Guard(
              "parity of another cluster is never used",
              "drfs.hdfs.ParityHome",
              "if (!manifest.clusterId().equals(clusterId) || !manifest.blockPool().equals(blockPool)) {",
              "if (false) {",
              STORE + "parityOfAnotherClusterIsRefusedByName"),
          new Guard(
              "only what carries our mark is ours",
              "drfs.hdfs.OwnedDirectories",
              "return there.isDirectory() && there.getOwner().equals(user) && isMarked(path);",
              "return there.isDirectory() && there.getOwner().equals(user);",
              STORE + "filesOfOthersAreLeftAlone"),
          new Guard(
              "the owner file is never created with overwrite",
              "raidnode.hdfs.OwnerFile",
              "fs.create(path, OWNER_ONLY, false, 512,",
              "fs.create(path, OWNER_ONLY, true, 512,",
              "tests.journeys.RefusalJourneyTest.aSecondDaemonWhichTakesNothingFromTheFirst"),
          // Repair
          new Guard(
              "other content is found",
              "blockfixer.detect.IntegrityCheck",
              "return crc == unit.crc()",
              "return true",
              "blockfixer.detect.IntegrityCheckTest.otherContentUnderTheSameBlockIsFound"),
          new Guard(
              "a node that hangs up is asked again",
              "blockfixer.detect.IntegrityCheck",
              "return dataNodes.checksum(located.block(), replica); } }",
              "throw first; } }",
              "blockfixer.detect.IntegrityCheckTest.aNodeThatHangsUpOnceIsAskedAgain"),
          new Guard(
              "what is judged unknown is not acted on",
              "blockfixer.plan.RepairPlanner",
              "return health.state() == State.UNKNOWN ? new Blocked(health.stripe(), health.message()) :",
              "return",
              "blockfixer.plan.RepairPlannerTest.aStripeWithoutEnoughEvidenceIsNotActedOn"),
          new Guard(
              "no target where anything of the block lies",
              "blockfixer.plan.RepairPlanner",
              "excluded.addAll(located.holders());",
              "",
              REPAIRER + "targetsAreNeverWhereABadReplicaLies"),
          new Guard(
              "rebuilt bytes have the recorded checksum before they become final",
              "blockfixer.repair.Attempt",
              "unit.prove(stripe);",
              "",
              REPAIRER + "bytesThatAreNotTheRecordedOnesAreNeverFinished"),
          new Guard(
              "a block that changed meanwhile is not delivered",
              "blockfixer.repair.Attempt",
              "recorded(number); fence.pass();",
              "fence.pass();",
              REPAIRER + "aBlockThatChangesWhileItIsRebuiltIsNotDelivered"),
          new Guard(
              "fence before each delivery",
              "blockfixer.repair.Attempt",
              "recorded(number); fence.pass(); try",
              "recorded(number); try",
              REPAIRER + "aDeposedDaemonDeliversNothing"),
          new Guard(
              "nothing is delivered while the NameNode trusts a bad replica",
              "blockfixer.repair.Attempt",
              "for (BadReplica replica : reported) { if (!patience.until(() -> !trusted(replica))) {",
              "for (BadReplica replica : reported) { if (false) {",
              REPAIRER + "nothingIsDeliveredWhileTheNameNodeTrustsTheBadReplica"),
          new Guard(
              "the NameNode has the last word on a delivery",
              "blockfixer.repair.Attempt",
              "if (!patience.until(() -> isLive(planned))) {",
              "if (false) {",
              REPAIRER + "aDataNodesAcknowledgementIsNotBelieved"),
          new Guard(
              "a replica that is good after all is not reported",
              "blockfixer.repair.Attempt",
              "if (answer == SecondLook.Answer.GOOD) {",
              "if (false) {",
              REPAIRER + "aReplicaThatIsBackBeforeItIsReportedIsLeftAloneAndTheOthersAreDelivered"),
          new Guard(
              "one task works on a stripe",
              "blockfixer.repair.StripeRepairer",
              "if (claim.isEmpty()) {",
              "if (false) {",
              REPAIRER + "aStripeInWorkIsLeftToWhoeverHasIt"),
          new Guard(
              "a helper is called wrong for other bytes only",
              "blockfixer.repair.WrongHelpers",
              "if (crc.isPresent() && crc.get() != unit.crc()) {",
              "if (crc.isPresent()) {",
              REPAIRER + "whenNoHelperIsWrongTheContradictionIsSaidAndNothingFinished"),
          new Guard(
              "what contradicts the record is never finished",
              "blockfixer.repair.Outgoing",
              "if (sent != planned.crc() || bytes != planned.block().length()) {",
              "if (false) {",
              REPAIRER + "bytesThatAreNotTheRecordedOnesAreNeverFinished"),
          // The order of repairs
          new Guard(
              "a stripe at risk waits for no node",
              "raidnode.rounds.TransientLosses",
              "if (health.furtherLosses() <= RepairRound.AT_RISK || !end.isAfter(now)",
              "if (!end.isAfter(now)",
              ROUND + "aStripeAtRiskWaitsForNoNode"),
          new Guard(
              "what lost too much is tried again though no node joins",
              "raidnode.rounds.RepairRound",
              "status == RepairStatus.PARKED ? Optional.empty() : Optional.of(later)",
              "status != RepairStatus.POSTPONED ? Optional.empty() : Optional.of(later)",
              ROUND + "whatCannotBeRebuiltIsTriedAgainThoughNoNodeReturns"),
          new Guard(
              "a loss is not hidden behind a pause that an operator asks for",
              "raidnode.request.RepairRequests",
              "if (NOT_TRIED.contains(record.get().status())) {",
              "if (false) {",
              "tests.simulation.RequestsTest.whatIsNotBeingRepairedIsNotLeftForAWhileForThatWouldHideIt"),
          new Guard(
              "a dry run deposes nobody",
              "offline.rescue.OfflineRepair",
              "request.dryRun() ? look(hadoop) : connect(hadoop)",
              "connect(hadoop)",
              "tests.daemon.RescueJourneyTest.offlineOneRepairsOnlyWhereNobodyElseDoes"),
          new Guard(
              "a stripe at risk is never parked",
              "raidnode.rounds.RepairRound",
              "tried.attempts() >= settings.parkAfter() && tried.furtherLosses() > AT_RISK;",
              "tried.attempts() >= settings.parkAfter();",
              ROUND + "aStripeAtRiskIsNeverParkedAndNeverWaitsForLong"),
          new Guard(
              "a storm pauses no stripe at risk",
              "raidnode.rounds.RepairRound",
              "storms.look().isPresent() ? AT_RISK : furtherLosses",
              "storms.look().isPresent() ? AT_RISK - 2 : furtherLosses",
              ROUND + "whenManyNodesGoAtOnceOnlyStripesAtRiskAreRepairedUntilTheyAreBack"),
          new Guard(
              "what ran when the daemon died waits again",
              "raidnode.catalog.Catalog",
              "catalog.repairs.takeUp();",
              "",
              "raidnode.catalog.RepairLedgerTest.whatRanWhenTheDaemonDiedWaitsAgain"),
          // Scrubs
          new Guard(
              "rot that was read is not healed by a question",
              "blockfixer.detect.IntegrityCheck",
              ".filter(fault -> asked.stream().noneMatch(finding -> isAboutTheSame(finding, fault)))",
              ".filter(fault -> false)",
              SCRUB + "rotIsFoundByReadingOnlyAndStaysKnownUntilItIsPutRight"),
          new Guard(
              "what a scrub found is read again before it is acted on",
              "blockfixer.detect.IntegrityCheck",
              "known.confirm(stripe);",
              "",
              SCRUB + "aReplicaThatHasBecomeGoodIsReadAgainBeforeAnythingIsDone"),
          new Guard(
              "the only copy of a block is not reported by a scrub",
              "blockfixer.scrub.BadCopies",
              ".filter(finding -> reading.sound().containsKey(finding.unit()))",
              "",
              SCRUBBER + "theOnlyCopyIsNotReported"),
          new Guard(
              "a bad copy is reported only while the good one is there",
              "blockfixer.scrub.BadCopies",
              "if (goodRemains && trusted.contains(replica.node())) {",
              "if (trusted.contains(replica.node())) {",
              SCRUBBER + "nothingIsReportedWhenTheGoodCopyIsGoneSince"),
          new Guard(
              "fence before each report of a scrub",
              "blockfixer.scrub.BadCopies",
              "fence.pass();",
              "",
              SCRUBBER + "theFenceIsPassedBeforeAReport"),
          new Guard(
              "a node that refuses streams is not called rotten",
              "blockfixer.scrub.Scrubber",
              "if (position == NOT_OPEN) {",
              "if (false) {",
              SCRUBBER + "aNodeThatRefusesStreamsAndAnswersQuestionsIsNotCalledRotten"),
          new Guard(
              "what a scrub saw healthy is not taken off the repair ledger",
              "raidnode.rounds.ScrubRound",
              "if (state == State.DEGRADED || state == State.UNRECOVERABLE) {",
              "if (true) {",
              SCRUB + "thatAStripeIsHealthyDoesNotUndoWhatOthersHaveFoundMeanwhile"),
          new Guard(
              "a loss that only a DataNode told of stays in the ledger while it does",
              "raidnode.rounds.IntegrityRound",
              "doubtful ? check.check(stripe) : check.judge(stripe)",
              "check.judge(stripe)",
              SCRUB + "otherContentIsFoundByAsking"),
          new Guard(
              "a repair reads around a DataNode that has stopped to send, where it is told to",
              "raidnode.rounds.SlowHelpers",
              ".filter(wait -> !wait.isZero());",
              ".filter(wait -> false);",
              "tests.simulation.RepairsTest.aRepairEndsThoughAHelperNeverDoes"),
          // Moves
          new Guard(
              "units with excess replicas are not moved",
              "blockfixer.placement.UnitMover",
              "if (!now.equals(List.of(move.from().node()))) {",
              "if (false) {",
              "blockfixer.placement.PlacementAuditTest.aUnitThatHasChangedOrMovedSinceTheAuditStaysWhereItIs"),
          new Guard(
              "fence before each move",
              "blockfixer.placement.UnitMover",
              "fence.pass(); try",
              "try",
              "blockfixer.placement.PlacementAuditTest.theFenceStandsBeforeAMoveAndTheNameNodeHasTheLastWord"),
          // Reading
          new Guard(
              "a whole rebuilt unit has the recorded checksum",
              "drfs.stripe.StripeRebuilder",
              "if (target.remaining() == wanted.length()) {",
              "if (false) {",
              "drfs.stripe.StripeRebuilderTest.aHelperWithOtherBytesThanAtEncodingContradictsTheRecordedCrc"),
          new Guard(
              "only a file of ours leaves the quarantine",
              "drfs.hdfs.HdfsParityStore",
              "requireOurs(paths.quarantineDirectory(inode), file.path(), now);",
              "",
              STORE + "filesOfOthersInQuarantineAreNeitherRestoredNorPurged"),
          // By hand
          new Guard(
              "a raided file whose parity was deleted has its replicas back before that is forgotten",
              "raidnode.rounds.AttendRound",
              "if (raided && outcome.equals(Outcome.WITHOUT_PARITY)) {",
              "if (false) {",
              "raidnode.raid.AttendRoundTest.whoseParitySomebodyDeletedHasItsReplicasBackBeforeThatIsForgotten"),
          new Guard(
              "no second writer by hand",
              "offline.rescue.OfflineRepair",
              "if (takeover == Takeover.NEVER && owner.isPresent()) {",
              "if (false) {",
              "tests.daemon.RescueJourneyTest.offlineOneRepairsOnlyWhereNobodyElseDoes"));

  private Guards() {}
}
