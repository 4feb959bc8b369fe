import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { formatNumber, formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";

interface ById {
  readonly id: number;
}

interface Spot {
  readonly map?: string | null;
  readonly x?: number | null;
  readonly y?: number | null;
  readonly region?: string | null;
}

/** Returns a place of the game as a text: `Felucca 1420, 1698 (Britain)`. */
export function formatGameLocation(place: Spot | null): string {
  if (!place) return "–";
  const { map, x, y, region } = place;
  const point = typeof x === "number" && typeof y === "number" ? `${x}, ${y}` : "";
  const text = [map, point, region && `(${region})`].filter(Boolean).join(" ");
  return text === "" ? "–" : text;
}

type OnlinePlayers = AnswerOf<"GET /admin/users/{id}/shard/online">;

/** The person's characters that are in the game now. */
export function OnlineCharacters({ id }: ById): VNode {
  const read = useApiRead("GET /admin/users/{id}/shard/online", { path: { id } }, 30_000);
  return html`<h2>${words.personGame.online}</h2>
    <${ReadStateView} read=${read}>
      ${(players: OnlinePlayers) =>
        html`<${Table}
          label=${words.personGame.online}
          heads=${[words.personGame.character, words.personGame.serial, words.personGame.place]}
          rows=${players.map((player) => ({
            key: player.serial,
            cells: [
              player.name,
              html`<span class="code">${player.serial}</span>`,
              formatGameLocation(player),
            ],
          }))}
          none=${words.personGame.nobodyOnline}
        />`}
    <//>`;
}

type OwnHouses = AnswerOf<"GET /admin/users/{id}/shard/houses">;

export function Houses({ id }: ById): VNode {
  const read = useApiRead("GET /admin/users/{id}/shard/houses", { path: { id } });
  return html`<h2>${words.personGame.houses}</h2>
    <${ReadStateView} read=${read}>
      ${(houses: OwnHouses) =>
        html`<${Table}
          label=${words.personGame.houses}
          heads=${[
            words.personGame.house,
            words.personGame.decay,
            words.personGame.place,
            words.personGame.owner,
            words.personGame.nextStage,
          ]}
          rows=${houses.map((house) => ({
            key: house.serial,
            cells: [
              house.name ?? house.serial,
              html`<span class=${house.isIdoc ? "bad" : ""}>
                ${house.isIdoc ? words.personGame.collapses : house.stage}
              </span>`,
              formatGameLocation(house),
              house.ownerAcct ?? "–",
              formatTime(house.nextStageAt),
            ],
          }))}
          none=${words.personGame.noHouses}
        />`}
    <//>`;
}

type OwnSales = AnswerOf<"GET /admin/users/{id}/shard/sales">;

/** The number of sales that are read. The route has no further pages. */
const newest = 100;

export function Sales({ id }: ById): VNode {
  const read = useApiRead("GET /admin/users/{id}/shard/sales", {
    path: { id },
    query: { limit: newest },
  });
  return html`<h2>${words.personGame.sales}</h2>
    <${ReadStateView} read=${read}>
      ${(sales: OwnSales) =>
        html`<${Table}
            label=${words.personGame.sales}
            heads=${[
              words.personGame.soldAt,
              words.personGame.item,
              { text: words.personGame.amount, isNumber: true },
              { text: words.personGame.price, isNumber: true },
              words.personGame.account,
            ]}
            rows=${sales.map(({ t, itemType, amount, price, ownerAcct }, at) => ({
              key: `${t} ${at}`,
              cells: [
                formatTime(t),
                itemType,
                formatNumber(amount),
                formatNumber(price),
                ownerAcct,
              ],
            }))}
            none=${words.personGame.noSales}
          />
          ${
            sales.length === newest &&
            html`<p class="soft">${words.personGame.newestSales(newest)}</p>`
          }`}
    <//>`;
}
