import { maxConcurrentMessages } from "../../shared/push/relay/relay.ts";
import { waitUntil } from "../support/clock/wait.ts";
import type { DatabaseReader } from "./check-states.ts";
import type { History } from "./history.ts";
import { hosts } from "./outside.ts";
import { type Follower, type Pushes, unheard } from "./pushes.ts";

/**
 * The time until all push messages are delivered. A circuit breaker pauses for a minute. Deliveries
 * of a dead worker are retried every minute.
 */
const settleMs = 240_000;
const triesPerDelivery = 5;
/** The maximum number of messages that a worker sends at once. A killed worker loses them. */
const lostPerWorker = maxConcurrentMessages * hosts.length;

interface Delivery {
  readonly ref: string;
  readonly deviceId: number;
  readonly state: string;
  readonly attempts: number;
}

const deliveriesSql = `
  select ref, device_id as "deviceId", state, attempts
  from push_deliveries join pushes on pushes.id = push_id where stream = 'site.notice'`;

/**
 * Compares the received push messages with the announcements. Each device must have a delivery of
 * each announcement and accept it at most once. It may lack a message only if all attempts failed
 * or a worker died while it sent the message.
 */
export async function checkPushes(
  pushes: Pushes,
  read: DatabaseReader,
  history: History,
): Promise<void> {
  await untilSent(read).catch((error: unknown) =>
    history.violate("every push comes to its end", { error: String(error) }),
  );
  const deliveries = await read<Delivery & Record<string, unknown>>(deliveriesSql);
  const byDevice = Map.groupBy(deliveries, ({ deviceId }) => deviceId);
  const findings = { announced: pushes.announced.length, taken: 0, givenUp: 0, lostWithWorker: 0 };
  for (const follower of pushes.followers) {
    const own = new Map(byDevice.get(follower.id)?.map((one) => [one.ref, one]));
    const { faults } = follower.device;
    history.claim("a device can read what it gets", faults.length === 0, { faults });
    for (const ref of pushes.announced) {
      const delivery = own.get(ref);
      history.claim("each device has a delivery", delivery !== undefined, { ref, id: follower.id });
      if (delivery) findings[judge(delivery, follower, history)] += 1;
    }
  }
  const { workersKilled } = pushes;
  const isBounded = findings.lostWithWorker <= workersKilled * lostPerWorker;
  const lost = { ...findings, workersKilled, lostPerWorker };
  history.claim("a killed worker loses only what it was sending", isBounded, lost);
  history.find("pushes", lost);
}

type Finding = "taken" | "givenUp" | "lostWithWorker";

function judge(delivery: Delivery, { heard, relay }: Follower, history: History): Finding {
  const { accepted, doubtful, tries } = heard.get(delivery.ref) ?? unheard;
  const detail = { ...delivery, relay, accepted, doubtful, tries };
  history.claim("a device takes an announcement once", accepted <= 1, detail);
  history.claim("it is tried five times at the most", tries.length <= triesPerDelivery, detail);
  history.claim(
    "a try is written down before it is made",
    tries.length <= delivery.attempts,
    detail,
  );
  if (accepted > 0 || (delivery.state === "done" && doubtful > 0)) return "taken";
  if (delivery.state === "trying") return "lostWithWorker";
  const isOver = delivery.state === "done" && delivery.attempts === triesPerDelivery;
  history.claim("what was to be tried again is tried to its end", isOver, detail);
  return "givenUp";
}

async function untilSent(read: DatabaseReader): Promise<void> {
  const open = `
    select (select count(*) from push_deliveries where state = 'waiting')
      + (select count(*) from pushes where dispatched_at is null) as left`;
  const isSent = async () => (await read<{ left: number }>(open))[0]?.left === 0;
  await waitUntil("every push has come to its end", isSent, settleMs);
}
