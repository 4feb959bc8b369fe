import { createContext } from "preact";
import { useContext } from "preact/hooks";

import { mayCall, type Me } from "../api/access.ts";
import type { OperationName } from "../api/call.ts";

export interface Session {
  readonly me: Me;
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
export function useMay(): (name: OperationName) => boolean {
  const { me } = useSession();
  return (name) => mayCall(me.role, name);
}
