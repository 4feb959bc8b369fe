import { createECDH } from "node:crypto";

import { describe, expect, it } from "vitest";

import { encryptMessage } from "../../shared/push/relay/message.ts";
import { UserAgent } from "../support/push/user-agent.ts";
import { makeList } from "../support/races/race.ts";

describe("an encrypted push message", () => {
  it("is readable only by its device, whatever it contains", async () => {
    const [agent, other] = [new UserAgent(), new UserAgent()];
    for (const payload of ["", "x", { stream: "news.post", ref: "Ænigma 龍" }, "y".repeat(3_000)]) {
      const message = await encryptMessage(JSON.stringify(payload), agent.keys);
      expect(agent.read(message)).toEqual(payload);
      expect(() => other.read(message)).toThrow("unable to authenticate data");
    }
  });

  it("uses fresh keys and a fresh salt each time, and starts with the header of RFC 8188", async () => {
    const { keys } = new UserAgent();
    const messages = await Promise.all(makeList(20, () => encryptMessage("{}", keys)));
    for (const part of [
      [0, 16],
      [21, 86],
      [86, 105],
    ] as const) {
      const parts = messages.map((message) => message.subarray(...part).toString("hex"));
      expect(new Set(parts).size).toBe(20);
    }
    for (const message of messages) {
      expect([message.readUInt32BE(16), message[20], message[21]]).toEqual([4_096, 65, 4]);
      expect(message).toHaveLength(86 + 2 + 1 + 16);
    }
  });

  it("cannot be made for a public key that is not on the curve", async () => {
    const { auth } = new UserAgent().keys;
    const point = createECDH("prime256v1").generateKeys();
    point[64] = (point[64] ?? 0) ^ 1;
    const p256dh = point.toString("base64url");
    await expect(encryptMessage("{}", { p256dh, auth })).rejects.toThrow("Public key is not valid");
  });
});
