/** A test that shows a statement, and the tests that show it otherwise or in part. */
type Tests = readonly [string, ...string[]];

interface Said {
  /** The printed sentence, row of a table or list of fields. */
  readonly says: string;
  /** The routes that it prints, as `GET /auth/me`: lines of the frozen manifests without `/api/v1`. */
  readonly routes?: readonly string[];
  /**
   * Tests by their files below `test/` and their titles: `auth/login.test.ts > POST /auth/login > does so`,
   * the last one or more titles of the path that leads to the test or the group of tests. A title made of
   * a template is written as the template.
   */
  readonly shownBy: Tests;
}

interface Kept extends Said {
  readonly deviation?: never;
  readonly reason?: never;
}

interface Deviating extends Said {
  /** How the service differs from the sentence. */
  readonly deviation: string;
  readonly reason: string;
}

/** One statement of the contract, which is true of the service or deviates for a reason. */
export type Statement = Kept | Deviating;
