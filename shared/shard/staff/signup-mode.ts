import { type SignupMode, signupModes } from "../calls/bridge-answers.ts";
import { getSignupMode, setSignupMode } from "../calls/bridge-calls.ts";
import type { ShardContext } from "../context.ts";
import { carryOut, type ShardOrder } from "./commands.ts";

/**
 * Where the shard takes new game accounts from, as it says itself.
 *
 * @openapi
 * components:
 *   schemas:
 *     SignupModes:
 *       type: object
 *       additionalProperties: false
 *       required: [mode, modes]
 *       properties:
 *         mode: { $ref: '#/components/schemas/SignupModeName' }
 *         modes: { type: array, items: { $ref: '#/components/schemas/SignupModeName' } }
 */
export async function readSignupMode(
  requestId: string,
  { shard }: ShardContext,
): Promise<{ mode: SignupMode; modes: readonly SignupMode[] }> {
  const { mode } = await shard.call((control) => control.read(getSignupMode, { requestId }));
  return { mode, modes: signupModes };
}

/**
 * @openapi
 * components:
 *   schemas:
 *     SignupMode:
 *       type: object
 *       additionalProperties: false
 *       required: [mode]
 *       properties:
 *         mode: { $ref: '#/components/schemas/SignupModeName' }
 */
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
