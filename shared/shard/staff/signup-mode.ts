import { type SignupMode, signupModes } from "../calls/bridge-answers.ts";
import { getSignupMode, setSignupMode } from "../calls/bridge-calls.ts";
import type { ShardContext } from "../context.ts";
import { carryOut, type ShardOrder } from "./commands.ts";

/** Where the shard takes new game accounts from, as it says itself. */
export async function readSignupMode(
  requestId: string,
  { shard }: ShardContext,
): Promise<{ mode: SignupMode; modes: readonly SignupMode[] }> {
  const { mode } = await shard.call((control) => control.read(getSignupMode, { requestId }));
  return { mode, modes: signupModes };
}

export const changeSignupMode = (
  body: { readonly mode: SignupMode },
  order: ShardOrder,
  context: ShardContext,
): Promise<{ mode: SignupMode }> =>
  carryOut(
    {
      action: "shard.signup_mode",
      detail: { ...body },
      send: (control, sent) => control.command(setSignupMode, sent, { body }),
    },
    order,
    context,
  );
