import type * as jestGlobals from "@jest/globals";

type Declaring = Pick<
  typeof jestGlobals,
  "afterAll" | "afterEach" | "beforeAll" | "beforeEach" | "describe" | "expect" | "it" | "test"
>;

/** Of `jest`, what the tests use of it. */
type Faking = Pick<
  typeof jestGlobals.jest,
  | "advanceTimersByTime"
  | "fn"
  | "restoreAllMocks"
  | "setTimeout"
  | "spyOn"
  | "useFakeTimers"
  | "useRealTimers"
>;

export interface Globals extends Declaring {
  readonly jest: { readonly [Name in keyof Faking]: unknown };
}

let current: Globals | undefined;

/** Says which file's tests are declared and run from now on. */
export const useGlobals = (globals: Globals): void => {
  current = globals;
};

/**
 * What modules import as `@jest/globals`. Modules are loaded once and serve many test files, while
 * Jest makes these functions anew for each file: every use asks for those of the present file.
 */
const ofPresentFile = <Name extends keyof Globals>(name: Name): (typeof jestGlobals)[Name] =>
  new Proxy(() => undefined, {
    apply: (_target, self, values) =>
      Reflect.apply(present(name) as (...values: unknown[]) => unknown, self, values),
    get: (_target, property) => Reflect.get(present(name), property) as unknown,
  }) as unknown as (typeof jestGlobals)[Name];

function present(name: keyof Globals): Globals[keyof Globals] {
  if (!current) throw new Error(`${name} is called where no test file runs`);
  return current[name];
}

export const afterAll = ofPresentFile("afterAll");
export const afterEach = ofPresentFile("afterEach");
export const beforeAll = ofPresentFile("beforeAll");
export const beforeEach = ofPresentFile("beforeEach");
export const describe = ofPresentFile("describe");
export const expect = ofPresentFile("expect");
export const it = ofPresentFile("it");
export const jest = ofPresentFile("jest");
export const test = ofPresentFile("test");
