import type { CommandLoss } from "../../../models/plugin/plugin-command.ts";
import { BridgeError } from "../bridge/bridge-error.ts";

interface Loss {
  /** For operators. */
  readonly reason: string;
  /** The texts for the caller of a command, and of a read. */
  readonly ofCommand: string;
  readonly ofRead: string;
}

/** CATALOG of what is known of a lost command, by why it was lost. */
const losses: Readonly<Record<CommandLoss, Loss>> = {
  unwritten: {
    reason: "the connection of the plugin broke while the command was sent to it",
    ofCommand:
      "The connection to the plugin broke while the site sent the command. The plugin probably did " +
      "not receive it: check in the game that the command was not executed, then send it again",
    ofRead: "The connection to the plugin broke while the site sent the request: send it again",
  },
  restarted: {
    reason: "the game server restarted after the plugin took the command, and before it answered",
    ofCommand:
      "The game server restarted after it received the command and before it answered. Nobody knows " +
      "whether the command was executed: check in the game before you send it again",
    ofRead: "The game server restarted before it answered: send the request again",
  },
  overdue: {
    reason: "the plugin took the command and did not answer",
    ofCommand:
      "The game server received the command and did not answer in time. Nobody knows whether the " +
      "command was executed: check in the game before you send it again",
    ofRead: "The game server received the request and did not answer in time: send it again",
  },
};

/** The answer to the caller of a lost command. @param loss null for one that an earlier release lost */
export function lostError(loss: CommandLoss | null, isRead: boolean): BridgeError {
  const { reason, ofCommand, ofRead } = losses[loss ?? "restarted"];
  const told = isRead ? ofRead : ofCommand;
  return new BridgeError("SHARD_DOWN", { reason, told, retryAfter: 10 });
}
