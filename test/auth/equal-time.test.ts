import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import { call } from "../support/call.ts";
import { enrol } from "../support/second-factor.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { createTestUser, logIn, type TestUser } from "../support/sign-in.ts";
import { unlimited } from "../support/unlimited.ts";

/** Beside a hash of this cost everything else of an answer is next to nothing. */
const environment = { ...unlimited, BCRYPT_COST: "9" };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment });
});
afterAll(() => server.stop());

const rounds = 15;

/** A user whose hash was made by this server. */
async function known(): Promise<TestUser> {
  const user = await createTestUser(server);
  await logIn(server, user);
  return user;
}

/** Every way in which a sign-in fails. */
async function failures(): Promise<Readonly<Record<string, object>>> {
  const disabled = await known();
  await server.context.sequelize.query("update users set disabled_at = now() where id = $1", {
    bind: [disabled.userId],
  });
  const password = "not this one";
  return {
    "a wrong password": { ...(await known()), password },
    "a hash of a lower cost": { ...(await createTestUser(server)), password },
    "a second factor": { ...(await enrol(server)), password },
    "no password": { ...(await createTestUser(server, { password: null })), password },
    "a name nobody bears": { username: "nobody-here", password },
    "a disabled user": disabled,
    "a filled trap": { ...(await known()), company: "x" },
  };
}

async function timed(route: string, body: object): Promise<number> {
  const startedAt = performance.now();
  const { status } = await call(server, route, { body });
  expect(status).toBe(401);
  return performance.now() - startedAt;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

describe.each(["POST /auth/login", "POST /auth/mobile/login"])("a failed %s", (route) => {
  it("takes one time, whatever was wrong", async () => {
    const bodies = Object.entries(await failures());
    const taken = new Map(bodies.map(([name]) => [name, [] as number[]]));
    // In turn, so that whatever else the machine does falls on all alike.
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, body] of bodies) taken.get(name)?.push(await timed(route, body));
    }
    const medians = [...taken].map(([name, all]) => ({ name, ms: median(all) }));
    const middle = median(medians.map(({ ms }) => ms));
    // What leaves its hash out answers in a tenth of the time.
    expect(medians.filter(({ ms }) => ms < middle / 2 || ms > middle * 2)).toEqual([]);
  });
});
