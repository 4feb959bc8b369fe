import { createContext } from "preact";
import { useContext } from "preact/hooks";

import { canCallOperation, type CurrentUser } from "../api/access.ts";
import type { OperationName } from "../api/call.ts";

export interface Session {
  readonly me: CurrentUser;
  /** Reads the signed-in user again, for example after a change of the own account. */
  readonly refresh: () => Promise<void>;
  readonly signOut: () => Promise<void>;
}

export const SessionContext = createContext<Session | null>(null);

/** Returns the session. @throws outside of the signed-in part of the console */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("no user is signed in");
  return session;
}

/** Returns a function that tells whether the signed-in user may call an operation. */
export function useAccessCheck(): (name: OperationName) => boolean {
  const { me } = useSession();
  return (name) => canCallOperation(me.role, name);
}
