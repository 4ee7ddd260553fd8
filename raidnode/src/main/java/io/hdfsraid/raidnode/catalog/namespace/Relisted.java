package io.hdfsraid.raidnode.catalog.namespace;

/**
 * What a listing of the namespace has changed. Entries are files, directories and links.
 *
 * @param directories that were listed
 * @param entries that were in them
 * @param added those that were not known
 * @param identified those that were known without their number
 * @param changed those of which something else was known
 * @param moved those that were known elsewhere
 * @param removed those that were not found any more; each of them with all that was below it
 */
public record Relisted(
    long directories,
    long entries,
    long added,
    long identified,
    long changed,
    long moved,
    long removed) {}
