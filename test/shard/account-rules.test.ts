import { describe, expect, it } from "@jest/globals";
import { assert, constantFrom, oneof, property, string } from "fast-check";

import { accountName, accountPassword } from "../../shared/shard/account-rules.ts";

/** The game's own check, character by character. */
function gameTakesName(name: string): boolean {
  const isForbidden = (char: string) => char <= " " || char > "~" || '<>:"/\\|?*'.includes(char);
  return (
    name !== "" && name.length <= 30 && !name.endsWith(".") && !name.split("").some(isForbidden)
  );
}
const gameTakesPassword = (password: string): boolean =>
  password !== "" &&
  password.length <= 30 &&
  password.split("").every((char) => char >= " " && char <= "~");

const strings = oneof(
  string({ maxLength: 34 }),
  string({ unit: "binary", maxLength: 34 }),
  string({ unit: constantFrom(...'aZ9.-_ <>:"/\\|?*~'.split("")), maxLength: 34 }),
);
const takes = (schema: ReturnType<typeof accountName>, given: string) =>
  schema.required().validate(given, { convert: false }).error === undefined;

describe("the rules for game accounts", () => {
  it("take exactly the names that the game takes", () => {
    assert(
      property(strings, (name) => expect(takes(accountName(), name)).toBe(gameTakesName(name))),
      { numRuns: 2_000 },
    );
  });

  it("take exactly the passwords that the game takes", () => {
    assert(
      property(strings, (given) => {
        expect(takes(accountPassword(), given)).toBe(gameTakesPassword(given));
      }),
      { numRuns: 2_000 },
    );
  });

  it("never repeat a password in their words", () => {
    assert(
      property(string({ unit: "binary", minLength: 6, maxLength: 40 }), (given) => {
        const { error } = accountPassword().validate(given, { convert: false });
        expect(error?.message ?? "").not.toContain(given);
      }),
    );
  });
});
