import type { CallInput, ReadCall } from "../../../shared/platform/bridge/calls/call.ts";
import type { ControlClient } from "../../../shared/platform/bridge/calls/control.ts";
import type { PagedReadResult } from "../../../shared/platform/bridge/calls/walk.ts";
import {
  getCharacterCall,
  getRosterCall,
  getSignupModeCall,
  getVendorsCall,
  healthCall,
  listLinksCall,
} from "../../../shared/shard/calls/account-calls.ts";
import { walkAssetKeys } from "../../../shared/shard/calls/asset-calls.ts";
import { fetchImages } from "../../../shared/shard/calls/asset-images.ts";
import { walkAtlas } from "../../../shared/shard/calls/atlas-calls.ts";
import { fetchCreatureBodies } from "../../../shared/shard/calls/body-calls.ts";
import { walkClilocs } from "../../../shared/shard/calls/cliloc-calls.ts";
import { listHelpPagesCall, listTownCrierCall } from "../../../shared/shard/calls/staff-calls.ts";
import { listConfigsCall } from "../../../shared/survival/calls/config-calls.ts";
import { requestInventoryCall } from "../../../shared/survival/calls/permission-calls.ts";
import {
  fetchMapImageCall,
  listIntegrationsCall,
  serverHealthCall,
  serverHelloCall,
} from "../../../shared/survival/calls/server-calls.ts";
import { readMapImage } from "../../../shared/survival/map/read-image.ts";
import type { Game } from "../payloads/payload-faults.ts";

/** Values for the parameters of calls. They come from the events that the game has sent. */
export interface KnownObjects {
  readonly account: string;
  readonly serial: string;
}

export interface ReadCallSpec {
  readonly call: ReadCall<unknown, unknown>;
  readonly capability?: string;
  /** True if the site makes this call only to sidecars, never to plugins. */
  readonly isOfSidecar?: true;
  input?(known: KnownObjects): CallInput;
}

/** A source of an import, which is read completely: page by page, or by one call. */
export interface SourceWalk {
  readonly name: string;
  readonly capability: string;
  run(control: ControlClient): Promise<unknown>;
}

const byAccount = ({ account }: KnownObjects): CallInput => ({ params: { account } });

/** CATALOGUE of the calls that change nothing, by game. */
export const reads: Readonly<Record<Game, readonly ReadCallSpec[]>> = {
  uo: [
    { call: healthCall, isOfSidecar: true },
    { call: getSignupModeCall, capability: "signup" },
    { call: listLinksCall, capability: "links" },
    { call: getRosterCall, input: byAccount },
    { call: getVendorsCall, input: byAccount },
    { call: getCharacterCall, input: ({ serial }) => ({ params: { serial } }) },
    { call: listTownCrierCall, capability: "towncrier" },
    { call: listHelpPagesCall, capability: "pages" },
  ],
  rust: [
    { call: serverHealthCall, isOfSidecar: true },
    { call: serverHelloCall, isOfSidecar: true },
    { call: listConfigsCall, capability: "config" },
    { call: listIntegrationsCall, capability: "integrations" },
    { call: requestInventoryCall, capability: "perm" },
  ],
};

/** The number of pictures that the site requests from a plugin in one call. */
const pluginPageSize = 50;

/** CATALOGUE of the sources that imports read, by game. */
export const walks: Readonly<Record<Game, readonly SourceWalk[]>> = {
  uo: [
    {
      name: "GET /v1/clilocs and its entries",
      capability: "clilocs",
      run: (control) => requireWholeWalk(walkClilocs(control, () => undefined)),
    },
    {
      name: "GET /v1/assets, its keys and images",
      capability: "assets",
      run: async (control) => {
        const keys: string[] = [];
        await requireWholeWalk(
          walkAssetKeys(control, (rows) => {
            for (const [key] of rows) if (keys.length < pluginPageSize) keys.push(key);
          }),
        );
        if (keys.length > 0) await fetchImages(control, keys);
      },
    },
    {
      name: "POST /v1/bodies/resolve",
      capability: "bodies",
      run: (control) => fetchCreatureBodies(control, ["Orc", "GuildhallCheckUnknownType"]),
    },
    {
      name: "GET /v1/atlas and its records",
      capability: "atlas",
      run: (control) => requireWholeWalk(walkAtlas(control, () => undefined)),
    },
  ],
  rust: [
    {
      name: "POST /v1/map/fetch",
      capability: "map",
      run: async (control) => readMapImage(await control.download(fetchMapImageCall)),
    },
  ],
};

export class BrokenWalkError extends Error {
  readonly code: string;

  constructor(code: string, reason: string) {
    super(`${code}: ${reason}`);
    this.code = code;
  }
}

async function requireWholeWalk(walk: Promise<PagedReadResult<unknown>>): Promise<void> {
  const result = await walk;
  if (!result.ok) throw new BrokenWalkError(result.code, result.reason);
}
