/** One or more tests of a statement; some may be partial. */
type Tests = readonly [string, ...string[]];

interface Said {
  /** The printed sentence, table row or list of fields. */
  readonly says: string;
  /** Its routes, such as `GET /auth/me`: lines of the frozen manifests without `/api/v1`. */
  readonly routes?: readonly string[];
  /**
   * Tests by file below `test/` and titles: `auth/login.test.ts > POST /auth/login > does so`. The titles are the
   * end of the path to the test or group; outer groups can be left out. A template title is written as the
   * template.
   */
  readonly shownBy: Tests;
}

interface Kept extends Said {
  readonly deviation?: never;
  readonly reason?: never;
}

interface Deviating extends Said {
  /** The difference between the service and the sentence. */
  readonly deviation: string;
  readonly reason: string;
}

/** A statement of the contract that the service meets, or a deviation with its reason. */
export type Statement = Kept | Deviating;
