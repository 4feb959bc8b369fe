import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { deleteUser } from "../support/factories/users.ts";
import { changeUserDuringRequest } from "../support/races/overtake.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";
import {
  type OpenedAppeal,
  banAccountViaApi,
  linkFreshAccount,
  openAppeal,
  reason,
} from "./open-appeal.ts";

let shard: LinkedShard;
let admin: SignedIn;
let moderator: SignedIn;

beforeAll(async () => {
  shard = await startLinkedShard();
  admin = await signIn(shard.server, { role: "admin" });
  moderator = await signIn(shard.server, { role: "moderator" });
});
afterAll(() => shard.stop());

async function ask(who: SignedIn, route: string, given?: object) {
  const { status, body } = await shard.as(who, route, { ...(given && { body: given }) });
  return { status, body };
}
const ofStaff = async ({ id }: OpenedAppeal) =>
  (await ask(admin, `GET /admin/appeals/${id}`)).body as { appeal: object; messages: object[] };
const write = ({ id }: OpenedAppeal, body: object, who = moderator) =>
  ask(who, `POST /admin/appeals/${id}/messages`, body);
const decide = ({ id }: OpenedAppeal, body: object, who = moderator) =>
  ask(who, `POST /admin/appeals/${id}/decision`, body);
const say = ({ player, id }: OpenedAppeal, body: object) =>
  ask(player, `POST /player/appeals/${id}/messages`, body);

describe("an appeal request that is overtaken by the deletion of a user", () => {
  const deletion = (userId: number) => ({ userId, change: deleteUser });
  const unauthenticated = { status: 401, body: { error: "Not authenticated" } };
  const rejected = { outcome: "rejected", note: "The log is clear." };

  it("is answered 401 and changes nothing if the deleted user is the assignee who sent it", async () => {
    const appeal = await openAppeal(shard, banAccountViaApi);
    const acts = [
      (who: SignedIn) => decide(appeal, rejected, who),
      (who: SignedIn) => write(appeal, { body: "Please send us the video." }, who),
      (who: SignedIn) => write(appeal, { body: "Known", internal: true }, who),
    ];
    for (const act of acts) {
      const leaving = await signIn(shard.server, { role: "moderator" });
      expect((await write(appeal, { assign: true }, leaving)).status).toBe(201);
      const answered = await changeUserDuringRequest(shard.server, deletion(leaving.userId), () =>
        act(leaving),
      );
      expect(answered).toEqual(unauthenticated);
      expect((await ofStaff(appeal)).appeal).toMatchObject({ state: "assigned", assignee: null });
    }
    expect((await ofStaff(appeal)).messages).toEqual([]);
  });

  it("is refused if the deleted user owns the appeal, no matter who sent it", async () => {
    const gone = { status: 404, body: { error: "Unknown appeal" } };
    const acts = [
      [(appeal: OpenedAppeal) => decide(appeal, rejected), gone],
      [(appeal: OpenedAppeal) => write(appeal, { body: "Please send us the video." }), gone],
      [(appeal: OpenedAppeal) => write(appeal, { body: "Known", internal: true }), gone],
      [(appeal: OpenedAppeal) => say(appeal, { body: "I can send a video." }), unauthenticated],
      [(appeal: OpenedAppeal) => say(appeal, { withdraw: true }), unauthenticated],
    ] as const;
    for (const [act, refused] of acts) {
      const appeal = await openAppeal(shard, banAccountViaApi);
      const answered = await changeUserDuringRequest(
        shard.server,
        deletion(appeal.player.userId),
        () => act(appeal),
      );
      expect(answered).toEqual(refused);
      expect((await ask(admin, `GET /admin/appeals/${appeal.id}`)).status).toBe(404);
    }
  });

  it("opens no appeal if the deleted user is the player who sent it", async () => {
    const { player, account } = await linkFreshAccount(shard);
    await banAccountViaApi(shard, account);
    const answered = await changeUserDuringRequest(shard.server, deletion(player.userId), () =>
      ask(player, "POST /player/appeals", { account, reason }),
    );
    expect(answered).toEqual(unauthenticated);
    const { Appeal } = shard.server.context.models;
    expect(await Appeal.count({ where: { account } })).toBe(0);
  });
});
