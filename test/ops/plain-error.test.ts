import { describe, expect, it } from "@jest/globals";
import { DatabaseError } from "sequelize";

import { plainError } from "../../shared/plain-error.ts";

/** What a driver throws of a row that breaks a rule, as the library wraps it. */
function refusedRow(): DatabaseError {
  const driver = Object.assign(new Error('new row violates "rule"'), {
    code: "23514",
    detail: "Failing row contains (secret)",
    sql: "insert into things values ($1)",
    parameters: ["secret"],
  });
  return new DatabaseError(driver);
}

describe("an error that is written down", () => {
  it("says what went wrong and where, and none of the values", () => {
    const error = refusedRow();
    const plain = plainError(error);
    expect(plain).toMatchObject({ name: error.name, message: error.message, stack: error.stack });
    expect(JSON.stringify(plain)).not.toContain("secret");
    expect(plain).not.toHaveProperty("parent");
  });

  it("keeps a code, the errors it is made of and what caused it, each as plain", () => {
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED", port: 5432 });
    const several = new AggregateError([refused, "a text"], "none answered", {
      cause: refusedRow(),
    });
    const plain = plainError(several) as AggregateError;
    expect(plain.errors).toEqual([expect.objectContaining({ code: "ECONNREFUSED" })]);
    expect(plain.errors[0]).not.toHaveProperty("port");
    expect(plain.cause).toMatchObject({ message: 'new row violates "rule"' });
    expect(plain.cause).not.toHaveProperty("sql");
  });

  it.each(["a text", 7, null, undefined])("leaves %p as it is", (thrown) => {
    expect(plainError(thrown)).toBe(thrown);
  });
});
