/**
 * {@code raidshell doctor}: can files be raided on this cluster? {@link
 * io.hdfsraid.rescue.doctor.Survey} asks the cluster and changes nothing; {@link
 * io.hdfsraid.rescue.doctor.Doctor} judges the answers and asks nothing.
 */
package io.hdfsraid.rescue.doctor;
