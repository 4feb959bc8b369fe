import Joi from "joi";

import {
  type LedgerState,
  ledgerStates,
  type LedgerWhat,
  ledgerWhats,
} from "../../models/survival/survival-ledger-entry.ts";
import { limits } from "../../shared/limits.ts";
import { type LedgerSearch, readLedger } from "../../shared/survival/ledger/read-ledger.ts";
import { idField, limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";

export const ledgerRoutes = [
  route({
    method: "get",
    path: "/api/v1/admin/survival/ledger",
    gate: "roles:admin",
    set: "additive",
    tag: "Survival staff",
    summary: "List what the site changed on survival servers",
    description:
      "Returns the ledger, newest entry first. Each entry is a change that the site sent to a " +
      "game server, such as a zone, a kit, an announcement or a configuration write, with its " +
      "outcome. A sync of permissions, NPCs or titles has one entry for each type that it " +
      "changes.",
    query: Joi.object<LedgerSearch, true>({
      server: idField.description("Return only entries of this server."),
      what: Joi.string<LedgerWhat>()
        .valid(...ledgerWhats)
        .description("Return only entries of this type."),
      state: Joi.string<LedgerState>()
        .valid(...ledgerStates)
        .description("Return only entries in this state."),
      before: idField.description("Return only entries before the entry with this id."),
      limit: limitField(limits.ledgerPage),
    }),
    answers: { 200: "SurvivalLedgerPage" },
    handle: ({ query }, context) => readLedger(query, context),
  }),
];
