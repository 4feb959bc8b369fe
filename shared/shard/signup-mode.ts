import type { Context } from "../context.ts";
import { type SignupMode, signupModes } from "./bridge-answers.ts";
import { getSignupMode, setSignupMode } from "./bridge-calls.ts";
import { carryOut, type ShardOrder } from "./commands.ts";

/** Where the shard takes new game accounts from, as it says itself. */
export async function readSignupMode(
  requestId: string,
  { shard }: Context,
): Promise<{ mode: SignupMode; modes: readonly SignupMode[] }> {
  const { mode } = await shard.call((control) => control.read(getSignupMode, { requestId }));
  return { mode, modes: signupModes };
}

export const changeSignupMode = (
  body: { readonly mode: SignupMode },
  order: ShardOrder,
  context: Context,
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
