// Guildhall plugin for ServUO: houses and the goods of players' vendors. Core thread only.
using System;
using System.Collections;
using System.Collections.Generic;
using Server;
using Server.Items;
using Server.Mobiles;
using Server.Multis;

namespace Guildhall
{
    internal static partial class States
    {
        // ---- houses

        private sealed class SeenHouse
        {
            public ulong Row;
            public DecayLevel Stage;
            public Point3D At; // the place for which the region was read
            public Map Map;
            public string Region;
        }

        private static readonly Dictionary<int, SeenHouse> m_SeenHouses = new Dictionary<int, SeenHouse>();
        private static readonly JsonWriter m_HouseRow = new JsonWriter(1024);

        private static IEnumerator Houses()
        {
            Snapshot snapshot = m_Houses.Begin();
            var present = new HashSet<int>();

            foreach (BaseHouse house in BaseHouse.AllHouses.ToArray())
            {
                if (!house.Deleted && house.Map != null && house.Map != Map.Internal)
                {
                    present.Add(house.Serial.Value);
                    CompareHouse(house, snapshot);
                }

                yield return null;
            }

            foreach (int serial in new List<int>(m_SeenHouses.Keys))
            {
                if (!present.Contains(serial))
                    RemoveHouse(serial);
            }

            m_Houses.HasBaseline = true;

            for (IEnumerator sending = snapshot == null ? null : snapshot.Send(); sending != null && sending.MoveNext(); )
                yield return null;
        }

        private static void CompareHouse(BaseHouse house, Snapshot snapshot)
        {
            SeenHouse seen;
            bool isKnown = m_SeenHouses.TryGetValue(house.Serial.Value, out seen);

            if (!isKnown)
                m_SeenHouses[house.Serial.Value] = seen = new SeenHouse();

            DecayLevel stage = house.DecayLevel; // reading it can advance the stage, so read it once per pass
            DecayLevel former = seen.Stage;
            FindRegion(house, seen);
            JsonWriter row = WriteHouse(m_HouseRow.Clear().Open(), house, stage, seen.Region).Close();
            ulong hash = row.Hash();

            if (isKnown && former != stage)
            {
                JsonWriter decay = WriteHouse(new JsonWriter(704).Open(), house, stage, seen.Region);
                Events.Emit("house.decay", Events.Key("decay:" + stage, house), decay.Field("from", former.ToString()).Field("to", stage.ToString()).Close());
            }
            else if (m_Houses.HasBaseline && seen.Row != hash && snapshot == null)
                Events.Emit("house.upsert", null, row);

            seen.Row = hash;
            seen.Stage = stage;

            if (snapshot != null)
                snapshot.Add(row);
        }

        private static void FindRegion(BaseHouse house, SeenHouse seen)
        {
            if (seen.Map == house.Map && seen.At == house.Location)
                return;

            seen.Map = house.Map;
            seen.At = house.Location;
            seen.Region = Facts.RegionAt(house.Map, house.Location);
        }

        private static JsonWriter WriteHouse(JsonWriter to, BaseHouse house, DecayLevel stage, string region)
        {
            // Reading an ageless house refreshes it, so its times would change at each pass.
            bool isAgeless = stage == DecayLevel.Ageless;

            to.Serial("serial", house.Serial).Field("stage", Names<DecayLevel>.Of(stage)).Text("map", house.Map.Name).Field("x", house.X).Field("y", house.Y).Field("z", house.Z).Text("region", region)
                .Text("name", house.Sign == null ? null : house.Sign.GetName()).Field("type", Facts.TypeName(house)).Serial("ownerSerial", house.Owner).Account("ownerAcct", Facts.AccountOf(house.Owner))
                .Field("coOwners", house.CoOwners == null ? 0 : house.CoOwners.Count).Field("public", house.Public).Field("price", Math.Max(0, house.Price)).Field("decayType", Names<DecayType>.Of(house.DecayType))
                .Field("builtOn", house.BuiltOn).Field("lastTraded", house.LastTraded);

            return isAgeless ? to.Null("lastRefreshed").Null("nextStageAt") : to.Field("lastRefreshed", house.LastRefreshed).Field("nextStageAt", house.NextDecayStage);
        }

        private static void RemoveHouse(int serial)
        {
            DecayLevel stage = m_SeenHouses[serial].Stage;
            m_SeenHouses.Remove(serial);
            bool isCollapsed = stage == DecayLevel.IDOC || stage == DecayLevel.Collapsed || stage == DecayLevel.DemolitionPending;
            string text = Facts.SerialText(serial);
            Events.Emit("house.removed", Events.Key("house.removed", text), new JsonWriter().Open().Field("serial", text).Field("reason", isCollapsed ? "collapsed" : "demolished").Close());
        }

        // ---- the market

        private const int MostRowChars = 80 * 1024; // an event holds 256 KiB, and a character takes up to 3 bytes
        private const int ItemsPerStep = 16;

        private const int WholeReadEvery = 10; // passes
        private const int MostSigned = 1000; // items of a vendor

        private sealed class SeenVendor
        {
            public ulong Row;
            public ulong Signature;
        }

        private static readonly Dictionary<int, SeenVendor> m_SeenVendors = new Dictionary<int, SeenVendor>();
        private static int m_MarketPass;
        private static readonly HashSet<PlayerVendor> m_SoldVendors = new HashSet<PlayerVendor>();
        private static readonly JsonWriter m_VendorRow = new JsonWriter(32 * 1024);
        private static readonly JsonWriter m_VendorItems = new JsonWriter(32 * 1024); // of the vendor that is being read
        private static bool m_IsReadingMarket; // two passes at once could send an older row after a newer one

        private static List<PlayerVendor> Vendors()
        {
            var vendors = new List<PlayerVendor>();

            foreach (PlayerVendor vendor in PlayerVendor.PlayerVendors ?? new List<PlayerVendor>())
            {
                if (!vendor.Deleted)
                    vendors.Add(vendor);
            }

            return vendors;
        }

        /// <summary>Marks a vendor whose goods changed: the job "sold" reports it before the next pass.</summary>
        public static void NoteVendor(PlayerVendor vendor)
        {
            m_SoldVendors.Add(vendor);
        }

        private static IEnumerator SoldVendors()
        {
            if (m_IsReadingMarket || m_SoldVendors.Count == 0 || !m_Market.HasBaseline)
                yield break;

            m_IsReadingMarket = true;
            var sold = new List<PlayerVendor>(m_SoldVendors);
            m_SoldVendors.Clear();

            try
            {
                foreach (PlayerVendor vendor in sold)
                {
                    if (vendor.Deleted)
                        continue;

                    for (IEnumerator comparing = CompareVendor(vendor, null); comparing.MoveNext(); )
                        yield return null;
                }
            }
            finally
            {
                m_IsReadingMarket = false;
            }
        }

        private static IEnumerator Market()
        {
            if (m_IsReadingMarket)
            {
                m_JobOf["market"].Hurry();
                yield break;
            }

            m_IsReadingMarket = true;

            try
            {
                for (IEnumerator reading = ReadMarket(); reading.MoveNext(); )
                    yield return null;
            }
            finally
            {
                m_IsReadingMarket = false;
            }
        }

        private static IEnumerator ReadMarket()
        {
            Snapshot snapshot = m_Market.Begin();
            var present = new HashSet<int>();

            m_MarketPass++;

            foreach (PlayerVendor vendor in Vendors())
            {
                if (vendor.Deleted)
                    continue;

                present.Add(vendor.Serial.Value);

                if (snapshot == null && IsUnchanged(vendor))
                {
                    yield return null;
                    continue;
                }

                for (IEnumerator comparing = CompareVendor(vendor, snapshot); comparing.MoveNext(); )
                    yield return null;

                yield return null;
            }

            foreach (int serial in new List<int>(m_SeenVendors.Keys))
            {
                if (present.Contains(serial))
                    continue;

                m_SeenVendors.Remove(serial);
                string text = Facts.SerialText(serial);
                Events.Emit("vendor.removed", Events.Key("vendor.removed", text), new JsonWriter().Open().Field("serial", text).Field("reason", "dismissed").Close());
            }

            m_Market.HasBaseline = true;

            for (IEnumerator sending = snapshot == null ? null : snapshot.Send(); sending != null && sending.MoveNext(); )
                yield return null;
        }

        /// <summary>
        /// Making the names of items takes most of the time, and most vendors do not change between passes. So a
        /// vendor is written if its signature changed, and in every tenth pass, because some changes of a name do
        /// not change the signature.
        /// </summary>
        private static bool IsUnchanged(PlayerVendor vendor)
        {
            SeenVendor seen;

            if ((vendor.Serial.Value + m_MarketPass) % WholeReadEvery == 0 || !m_SeenVendors.TryGetValue(vendor.Serial.Value, out seen))
                return false;

            return seen.Signature != 0 && seen.Signature == SignatureOf(vendor);
        }

        /// <summary>Returns 0 for a vendor with too many items, which is written in each pass.</summary>
        private static ulong SignatureOf(PlayerVendor vendor)
        {
            int count = 0;
            ulong sum = Mix(Mix(Mix(Mix(1, vendor.X), vendor.Y), vendor.Z), vendor.Map == null ? 0 : vendor.Map.GetHashCode());
            sum = Mix(Mix(sum, HashOf(vendor.ShopName)), vendor.VendorSearch ? 1 : 0);
            sum = Mix(Mix(sum, vendor.Owner == null ? 0 : vendor.Owner.Serial.Value), vendor.Owner == null ? 0 : HashOf(vendor.Owner.Name));
            sum = Mix(sum, vendor.House == null || vendor.House.Sign == null ? 0 : HashOf(vendor.House.Sign.Name));
            sum = Sign(vendor, vendor.Backpack, sum, ref count);
            return count > MostSigned ? 0 : sum;
        }

        private static ulong Sign(PlayerVendor vendor, Item box, ulong sum, ref int count)
        {
            if (box == null)
                return sum;

            List<Item> items = box.Items;

            for (int i = 0; i < items.Count && count <= MostSigned; i++)
            {
                Item item = items[i];
                VendorItem offer = vendor.GetVendorItem(item);
                count++;
                sum = Mix(Mix(Mix(Mix(sum, item.Serial.Value), item.ItemID), item.Hue), item.Amount);
                sum = Mix(Mix(Mix(sum, item.LabelNumber), HashOf(item.Name)), offer == null ? -2 : offer.Price);

                if (item is Container)
                    sum = Sign(vendor, item, sum, ref count);
            }

            return Mix(sum, items.Count);
        }

        private static int HashOf(string text)
        {
            return text == null ? 0 : text.GetHashCode();
        }

        private static ulong Mix(ulong sum, int value)
        {
            return unchecked((sum ^ (uint)value) * 1099511628211UL);
        }

        private static IEnumerator CompareVendor(PlayerVendor vendor, Snapshot snapshot)
        {
            var goods = new Goods(m_VendorItems.Clear().OpenList());

            for (IEnumerator reading = goods.Read(vendor); reading.MoveNext(); )
                yield return null;

            if (vendor.Deleted)
                yield break;

            JsonWriter row = WriteVendor(vendor, goods);
            SeenVendor seen;

            if (!m_SeenVendors.TryGetValue(vendor.Serial.Value, out seen))
                m_SeenVendors[vendor.Serial.Value] = seen = new SeenVendor();

            ulong hash = row.Hash();
            bool isNews = seen.Row != hash;
            seen.Row = hash;
            seen.Signature = SignatureOf(vendor);

            if (snapshot != null)
                snapshot.Add(row);
            else if (isNews && m_Market.HasBaseline)
                Events.Emit("vendor.upsert", null, row);
        }

        private static JsonWriter WriteVendor(PlayerVendor vendor, Goods goods)
        {
            string house = vendor.House == null || vendor.House.Sign == null ? null : vendor.House.Sign.GetName();

            return m_VendorRow.Clear().Open().Open("vendor").Serial("serial", vendor.Serial).Text("shopName", vendor.ShopName).Serial("ownerSerial", vendor.Owner).Field("ownerName", Facts.NameOf(vendor.Owner))
                .Account("ownerAcct", Facts.AccountOf(vendor.Owner)).Field("hidden", !vendor.VendorSearch).Open("location").PlaceFields(vendor.Map, vendor.Location).Text("house", house).Close().Close()
                .Field("total", goods.Total).Field("truncated", goods.IsTruncated).FieldRaw("items", goods.Items.CloseList()).Close();
        }

        public static int CountGoods(PlayerVendor vendor)
        {
            var goods = new Goods(null);

            for (IEnumerator reading = goods.Read(vendor); reading.MoveNext(); )
            { }

            return goods.Total;
        }

        private sealed class Goods
        {
            public readonly JsonWriter Items; // null if the items are only counted
            public int Total;
            public bool IsTruncated;

            private int m_Steps;

            public Goods(JsonWriter items)
            {
                Items = items;
            }

            public IEnumerator Read(PlayerVendor vendor)
            {
                return Read(vendor, vendor.Backpack, null);
            }

            /// <summary>An item in a container that is for sale has the price of the container.</summary>
            private IEnumerator Read(PlayerVendor vendor, Item box, int? inherited)
            {
                if (box == null || box.Deleted)
                    yield break;

                foreach (Item item in box.Items.ToArray())
                {
                    if (item.Deleted)
                        continue;

                    VendorItem offer = vendor.GetVendorItem(item);
                    int? price = offer != null ? offer.Price : inherited;

                    if (price != null)
                        Add(item, price.Value, offer == null);

                    if (++m_Steps % ItemsPerStep == 0)
                        yield return null;

                    if (!(item is Container) || item.Items.Count == 0)
                        continue;

                    for (IEnumerator inner = Read(vendor, item, offer != null && offer.IsForSale ? offer.Price : inherited); inner.MoveNext(); )
                        yield return null;
                }
            }

            private void Add(Item item, int price, bool isChild)
            {
                Total++;

                if (Items == null)
                    return;

                if (Items.Length > MostRowChars)
                {
                    IsTruncated = true;
                    return;
                }

                Items.Open().ItemFields(item, true).Field("price", Math.Max(-1, price)).Field("child", isChild).Close();
            }
        }
    }
}
