import Joi from "joi";

import {
  type LedgerState,
  ledgerStates,
  type LedgerWhat,
  ledgerWhats,
} from "../../models/survival/survival-ledger-entry.ts";
import { limits } from "../../shared/platform/limits.ts";
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
      "game server, with its outcome. Such changes are, for example, zones, kits, announcements " +
      "and configuration writes. A sync of permissions, NPCs or titles has one entry for each " +
      "type of data that it changed.",
    query: Joi.object<LedgerSearch, true>({
      server: idField.description("Id of a survival server. Returns only entries of this server."),
      what: Joi.string<LedgerWhat>()
        .valid(...ledgerWhats)
        .description("Returns only entries of this type."),
      state: Joi.string<LedgerState>()
        .valid(...ledgerStates)
        .description("Returns only entries in this state."),
      before: idField.description(
        "Cursor for paging: returns only entries that are older than the entry with this id.",
      ),
      limit: limitField(limits.ledgerPage),
    }),
    answers: { 200: "SurvivalLedgerPage" },
    handle: ({ query }, context) => readLedger(query, context),
  }),
];
