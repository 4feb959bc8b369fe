/**
 * THE rule of what counts, as SQL: what staff did does not, on a server that leaves it out.
 * @param isStaff whether who did it is staff
 * @param leavesOut whether the server leaves staff out
 */
export const countsSql = (isStaff = "tally.is_staff", leavesOut = "server.ignore_staff"): string =>
  `not (${isStaff} and ${leavesOut})`;
