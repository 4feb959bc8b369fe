import type { MarketQuery } from "../../shared/shard/market/filters.ts";
import type { VendorUpsert } from "../../shared/shard/market/vendor-state.ts";
import type { MarketListing, MarketLocation } from "../../shared/shard/market/views.ts";

type Item = VendorUpsert["items"][number];

interface ModelListing {
  readonly item: Item;
  /** The number of the step that created or last changed the listing. */
  readonly step: number;
}

interface Name {
  readonly displayed: string | null;
  readonly folded: string | null;
}

interface ModelVendor {
  readonly upsert: VendorUpsert;
  readonly listings: ReadonlyMap<string, ModelListing>;
}

/** The simplest possible market: a map that each search reads completely. */
export class MarketModel {
  readonly #vendors = new Map<string, ModelVendor>();
  readonly #clilocs: ReadonlyMap<number, string>;
  readonly #names = new WeakMap<Item, Name>();
  #step = 0;

  constructor(clilocs: ReadonlyMap<number, string> = new Map()) {
    this.#clilocs = clilocs;
  }

  /** Applies upserts. @returns true for each upsert that changed something */
  upsert(upserts: readonly VendorUpsert[]): boolean[] {
    this.#step++;
    const started = new Map(this.#vendors);
    const changed = upserts.map((upsert) => {
      const known = this.#vendors.get(upsert.vendor.serial);
      const isNew = !known || facts(known.upsert) !== facts(upsert);
      this.#vendors.set(upsert.vendor.serial, { upsert, listings: new Map() });
      return isNew;
    });
    for (const { vendor } of upserts) this.#relist(vendor.serial, started.get(vendor.serial));
    return changed;
  }

  remove(serials: readonly string[]): void {
    for (const serial of serials) this.#vendors.delete(serial);
  }

  swap(rows: readonly VendorUpsert[], touched: ReadonlySet<string>): void {
    const named = new Set([...touched, ...rows.map(({ vendor }) => vendor.serial)]);
    this.remove([...this.#vendors.keys()].filter((serial) => !named.has(serial)));
    this.upsert(rows.filter(({ vendor }) => !touched.has(vendor.serial)));
  }

  #relist(serial: string, before: ModelVendor | undefined): void {
    const upsert = this.#vendors.get(serial)?.upsert as VendorUpsert;
    const listings = new Map<string, ModelListing>();
    for (const item of upsert.items) {
      listings.delete(item.serial);
      if (item.price <= 0 || !isListed(upsert)) continue;
      const known = before?.listings.get(item.serial);
      const same = known && looks(known.item) === looks(item);
      listings.set(item.serial, { item, step: same ? known.step : this.#step });
    }
    this.#vendors.set(serial, { upsert, listings });
  }

  /** The serials of the visible vendors. */
  get vendors(): string[] {
    return [...this.#vendors.values()]
      .filter(({ upsert }) => isListed(upsert))
      .map(({ upsert }) => upsert.vendor.serial);
  }

  vendor(serial: string): { count: number; total: number; upsert: VendorUpsert } | undefined {
    const known = this.#vendors.get(serial);
    if (!known || !isListed(known.upsert)) return undefined;
    const { upsert, listings } = known;
    const total = Math.max(upsert.total ?? 0, upsert.items.length);
    return { count: listings.size, total, upsert };
  }

  placeNames(): { maps: string[]; regions: string[] } {
    const places = this.vendors.map((serial) => this.vendor(serial)?.upsert.vendor.location);
    const names = (field: "map" | "region") =>
      [...new Set(places.flatMap((place) => place?.[field] ?? []))].toSorted();
    return { maps: names("map"), regions: names("region") };
  }

  search(query: MarketQuery): { total: number; listings: Omit<MarketListing, "vendor">[] } {
    const all = [...this.#vendors.values()].flatMap(({ upsert, listings }) =>
      [...listings.values()].map((listing) => ({ ...listing, vendor: upsert.vendor })),
    );
    const found = all.filter(({ item, vendor }) => this.#matches(query, item, vendor));
    const sorted = found.toSorted((one, other) => {
      const byOrder = {
        price_asc: one.item.price - other.item.price,
        price_desc: other.item.price - one.item.price,
        recent: other.step - one.step,
      }[query.sort];
      return (
        byOrder ||
        compare(one.item.serial, other.item.serial) ||
        compare(one.vendor.serial, other.vendor.serial)
      );
    });
    const page = sorted.slice(query.offset, query.offset + query.limit);
    return { total: found.length, listings: page.map(({ item }) => this.#view(item)) };
  }

  #matches(query: MarketQuery, item: Item, vendor: VendorUpsert["vendor"]): boolean {
    const { q, minPrice = 0, maxPrice = Infinity, itemId, map, region } = query;
    const place = vendor.location;
    const holds = [
      !q || this.#name(item).folded?.includes(fold(q)) === true,
      item.price >= minPrice && item.price <= maxPrice,
      itemId === undefined || item.itemId === itemId,
      map === undefined || place?.map === map,
      region === undefined || place?.region === region,
    ];
    return holds.every(Boolean);
  }

  /**
   * Returns the name of an item. Names are cached, because a large market is searched hundreds of
   * times.
   */
  #name(item: Item): Name {
    const known = this.#names.get(item);
    if (known) return known;
    const displayed = this.#displayName(item);
    const name = { displayed, folded: displayed === null ? null : fold(displayed) };
    this.#names.set(item, name);
    return name;
  }

  /**
   * Returns the displayed name of an item. A placeholder such as `~1_NAME~` stands for the argument with this
   * number. The model does not support malformed placeholders.
   */
  #displayName({ name, cliloc, args }: Item): string | null {
    if (name?.trim()) return name;
    const text = this.#clilocs.get(cliloc ?? -1);
    const given = args?.split("\t") ?? [];
    const filled = text?.replaceAll(/~(\d)_NAME~/g, (_, place: string) => {
      const arg = given[Number(place) - 1] ?? "";
      return arg.startsWith("#") ? (this.#clilocs.get(Number(arg.slice(1))) ?? "") : arg;
    });
    return filled?.trim() || null;
  }

  #view(item: Item): Omit<MarketListing, "vendor"> {
    const { serial, itemId, amount, price } = item;
    const displayName = this.#name(item).displayed;
    const name = item.name?.trim() ? item.name : null;
    const cliloc = item.cliloc ?? null;
    return {
      serial,
      itemId,
      hue: item.hue ?? 0,
      amount,
      price,
      name,
      cliloc,
      displayName,
      child: item.child ?? false,
    };
  }
}

const isListed = ({ vendor }: VendorUpsert): boolean =>
  !vendor.hidden && vendor.location?.map !== "Internal";

const fold = (text: string): string => text.toLowerCase().replaceAll("ς", "σ");

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Returns an upsert as text, with its items sorted by serial. */
const facts = (upsert: VendorUpsert): string =>
  JSON.stringify({
    ...upsert,
    items: upsert.items.toSorted((one, other) => compare(one.serial, other.serial)),
  });

const looks = ({ itemId, hue, amount, price, name, cliloc, args, child }: Item): string =>
  JSON.stringify([itemId, hue ?? 0, amount, price, child ?? false, ...called(name, cliloc, args)]);

type Text = string | null | undefined;

const called = (name: Text, cliloc: number | null | undefined, args: Text): unknown[] => {
  if (name?.trim()) return [name, cliloc ?? null];
  return [null, cliloc ?? null, typeof cliloc === "number" && args ? args : null];
};

export const locationOf = ({ vendor }: VendorUpsert): MarketLocation | null => {
  if (!vendor.location) return null;
  const { map, x, y, z, region, house } = vendor.location;
  return {
    map: map ?? null,
    x: x ?? null,
    y: y ?? null,
    z: z ?? null,
    region: region ?? null,
    house: house ?? null,
  };
};
