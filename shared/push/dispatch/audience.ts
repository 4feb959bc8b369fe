import type { Transaction } from "sequelize";

import type { Push } from "../../../models/push/push.ts";
import { isStream, type PushStream, streamOf } from "../../facts/streams.ts";
import { reaches, type Rung } from "../../platform/access/roles.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { asksWhere } from "../../shard/market/filters.ts";
import type { PushContext } from "../context.ts";
import { isPushOn } from "../relay/vapid.ts";

type About = Pick<Push, "stream" | "ref" | "expiresAt">;

type Visible = Pick<PushContext, "visibility">;

/** The lowest rung that a push is for; null when it is for nobody any more. */
export async function audienceOf(
  push: About,
  transaction: Transaction,
  context: PushContext,
): Promise<Rung | null> {
  const { stream, expiresAt } = push;
  if (!isPushOn(context.config) || expiresAt <= new Date() || !isStream(stream)) return null;
  const ofStream = streamAudience(stream, context);
  const ofRef = ofStream && (await refAudience(stream, push, transaction, context));
  return ofRef && reaches(ofRef, ofStream) ? ofRef : ofRef && ofStream;
}

function streamAudience(stream: PushStream, { visibility }: Visible): Rung | null {
  const spec = streamOf(stream);
  if (spec.kind === "staff") return "staff";
  if (!spec.feature) return "anonymous";
  const { enabled, audience } = visibility.current[spec.feature];
  return enabled ? audience : null;
}

/** Of what the push names; null when that stands no more. */
async function refAudience(
  stream: PushStream,
  { ref }: About,
  transaction: Transaction,
  { visibility }: Visible,
): Promise<Rung | null> {
  const { MarketSearch, Post } = modelsOf(transaction);
  const where = { id: Number(ref) };
  if (stream === "news.post") {
    // A post may be withdrawn before it is dispatched.
    return (await Post.scope("visible").count({ where, transaction })) > 0 ? "anonymous" : null;
  }
  if (stream !== "market.match") return "anonymous";
  const search = await MarketSearch.findOne({ where: { ...where, enabled: true }, transaction });
  if (!search) return null;
  return asksWhere(search.query)
    ? (visibility.current.market.fieldRules["location"] ?? null)
    : "anonymous";
}
