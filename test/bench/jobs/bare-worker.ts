import { answerCalls } from "../parts/answering.ts";
import { bareQueue, createFloorPgBoss } from "./bare-boss.ts";

/** The baseline worker: pg-boss as its manual describes it, with LISTEN. */

const boss = createFloorPgBoss(process.env["DATABASE_URL"] ?? "");
await boss.start();
await boss.createQueue(bareQueue, { notify: true });
await boss.work(bareQueue, () => Promise.resolve());

answerCalls({});
