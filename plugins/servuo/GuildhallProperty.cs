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

        private sealed class HouseState
        {
            public ulong RowHash;
            public DecayLevel Stage;
            public Point3D Location; // the place for which the region was read
            public Map Map;
            public string Region;
        }

        private static readonly Dictionary<int, HouseState> m_HouseStates = new Dictionary<int, HouseState>();
        private static readonly JsonWriter m_HouseRow = new JsonWriter(1024);

        private static IEnumerator CompareHouses()
        {
            Snapshot snapshot = m_Houses.BeginSnapshot();
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

            foreach (int serial in new List<int>(m_HouseStates.Keys))
            {
                if (!present.Contains(serial))
                    RemoveHouse(serial);
            }

            m_Houses.HasBaseline = true;

            for (IEnumerator steps = snapshot == null ? null : snapshot.Send(); steps != null && steps.MoveNext(); )
                yield return null;
        }

        private static void CompareHouse(BaseHouse house, Snapshot snapshot)
        {
            HouseState last;
            bool isKnown = m_HouseStates.TryGetValue(house.Serial.Value, out last);

            if (!isKnown)
                m_HouseStates[house.Serial.Value] = last = new HouseState();

            DecayLevel stage = house.DecayLevel; // reading it can advance the stage, so read it once per pass
            DecayLevel former = last.Stage;
            FindRegion(house, last);
            JsonWriter row = WriteHouse(m_HouseRow.Clear().Open(), house, stage, last.Region).Close();
            ulong hash = row.Hash();

            if (isKnown && former != stage)
            {
                JsonWriter decay = WriteHouse(new JsonWriter(704).Open(), house, stage, last.Region);
                Events.Emit("house.decay", Events.MakeKey("decay:" + stage, house), decay.Field("from", former.ToString()).Field("to", stage.ToString()).Close());
            }
            else if (m_Houses.HasBaseline && last.RowHash != hash && snapshot == null)
                Events.Emit("house.upsert", null, row);

            last.RowHash = hash;
            last.Stage = stage;

            if (snapshot != null)
                snapshot.Add(row);
        }

        private static void FindRegion(BaseHouse house, HouseState last)
        {
            if (last.Map == house.Map && last.Location == house.Location)
                return;

            last.Map = house.Map;
            last.Location = house.Location;
            last.Region = Facts.RegionAt(house.Map, house.Location);
        }

        private static JsonWriter WriteHouse(JsonWriter to, BaseHouse house, DecayLevel stage, string region)
        {
            // Reading an ageless house refreshes its times. Write null, because they would change at each pass.
            bool isAgeless = stage == DecayLevel.Ageless;

            to.Serial("serial", house.Serial).Field("stage", EnumNames<DecayLevel>.Get(stage)).Text("map", house.Map.Name).Field("x", house.X).Field("y", house.Y).Field("z", house.Z).Text("region", region)
                .Text("name", house.Sign == null ? null : house.Sign.GetName()).Field("type", Facts.TypeName(house)).Serial("ownerSerial", house.Owner).Account("ownerAcct", Facts.AccountOf(house.Owner))
                .Field("coOwners", house.CoOwners == null ? 0 : house.CoOwners.Count).Field("public", house.Public).Field("price", Math.Max(0, house.Price)).Field("decayType", EnumNames<DecayType>.Get(house.DecayType))
                .Field("builtOn", house.BuiltOn).Field("lastTraded", house.LastTraded);

            return isAgeless ? to.Null("lastRefreshed").Null("nextStageAt") : to.Field("lastRefreshed", house.LastRefreshed).Field("nextStageAt", house.NextDecayStage);
        }

        private static void RemoveHouse(int serial)
        {
            DecayLevel stage = m_HouseStates[serial].Stage;
            m_HouseStates.Remove(serial);
            bool isCollapsed = stage == DecayLevel.IDOC || stage == DecayLevel.Collapsed || stage == DecayLevel.DemolitionPending;
            string text = Facts.SerialText(serial);
            Events.Emit("house.removed", Events.MakeKey("house.removed", text), new JsonWriter().Open().Field("serial", text).Field("reason", isCollapsed ? "collapsed" : "demolished").Close());
        }

        // ---- the market

        private const int MaxRowChars = 80 * 1024; // an event holds 256 KiB, and a character takes up to 3 bytes
        private const int ItemsPerStep = 16;

        private const int PassesPerFullRead = 10;
        private const int MaxSignedItems = 1000; // per vendor

        private sealed class VendorState
        {
            public ulong RowHash;
            public ulong Signature;
        }

        private static readonly Dictionary<int, VendorState> m_VendorStates = new Dictionary<int, VendorState>();
        private static int m_MarketPass;
        private static readonly HashSet<PlayerVendor> m_SoldVendors = new HashSet<PlayerVendor>();
        private static readonly JsonWriter m_VendorRow = new JsonWriter(32 * 1024);
        private static readonly JsonWriter m_VendorItems = new JsonWriter(32 * 1024); // of the vendor that is being read
        private static bool m_IsReadingMarket; // two passes at once could send an older row after a newer one

        private static List<PlayerVendor> ListVendors()
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
        public static void MarkSoldVendor(PlayerVendor vendor)
        {
            m_SoldVendors.Add(vendor);
        }

        private static IEnumerator CompareSoldVendors()
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

                    for (IEnumerator steps = CompareVendor(vendor, null); steps.MoveNext(); )
                        yield return null;
                }
            }
            finally
            {
                m_IsReadingMarket = false;
            }
        }

        private static IEnumerator CompareMarket()
        {
            if (m_IsReadingMarket)
            {
                m_JobsByFamily["market"].RunSoon();
                yield break;
            }

            m_IsReadingMarket = true;

            try
            {
                for (IEnumerator steps = CompareVendors(); steps.MoveNext(); )
                    yield return null;
            }
            finally
            {
                m_IsReadingMarket = false;
            }
        }

        private static IEnumerator CompareVendors()
        {
            Snapshot snapshot = m_Market.BeginSnapshot();
            var present = new HashSet<int>();

            m_MarketPass++;

            foreach (PlayerVendor vendor in ListVendors())
            {
                if (vendor.Deleted)
                    continue;

                present.Add(vendor.Serial.Value);

                if (snapshot == null && IsUnchanged(vendor))
                {
                    yield return null;
                    continue;
                }

                for (IEnumerator steps = CompareVendor(vendor, snapshot); steps.MoveNext(); )
                    yield return null;

                yield return null;
            }

            foreach (int serial in new List<int>(m_VendorStates.Keys))
            {
                if (present.Contains(serial))
                    continue;

                m_VendorStates.Remove(serial);
                string text = Facts.SerialText(serial);
                Events.Emit("vendor.removed", Events.MakeKey("vendor.removed", text), new JsonWriter().Open().Field("serial", text).Field("reason", "dismissed").Close());
            }

            m_Market.HasBaseline = true;

            for (IEnumerator steps = snapshot == null ? null : snapshot.Send(); steps != null && steps.MoveNext(); )
                yield return null;
        }

        /// <summary>
        /// Making the names of items takes most of the time, and most vendors do not change between passes. So a
        /// vendor is written if its signature changed, and in every tenth pass, because some changes of a name do
        /// not change the signature.
        /// </summary>
        private static bool IsUnchanged(PlayerVendor vendor)
        {
            VendorState last;

            if ((vendor.Serial.Value + m_MarketPass) % PassesPerFullRead == 0 || !m_VendorStates.TryGetValue(vendor.Serial.Value, out last))
                return false;

            return last.Signature != 0 && last.Signature == ComputeSignature(vendor);
        }

        /// <summary>Returns 0 for a vendor with too many items, which is written in each pass.</summary>
        private static ulong ComputeSignature(PlayerVendor vendor)
        {
            int count = 0;
            ulong sum = MixHash(MixHash(MixHash(MixHash(1, vendor.X), vendor.Y), vendor.Z), vendor.Map == null ? 0 : vendor.Map.GetHashCode());
            sum = MixHash(MixHash(sum, HashOf(vendor.ShopName)), vendor.VendorSearch ? 1 : 0);
            sum = MixHash(MixHash(sum, vendor.Owner == null ? 0 : vendor.Owner.Serial.Value), vendor.Owner == null ? 0 : HashOf(vendor.Owner.Name));
            sum = MixHash(sum, vendor.House == null || vendor.House.Sign == null ? 0 : HashOf(vendor.House.Sign.Name));
            sum = AddToSignature(vendor, vendor.Backpack, sum, ref count);
            return count > MaxSignedItems ? 0 : sum;
        }

        private static ulong AddToSignature(PlayerVendor vendor, Item container, ulong sum, ref int count)
        {
            if (container == null)
                return sum;

            List<Item> items = container.Items;

            for (int i = 0; i < items.Count && count <= MaxSignedItems; i++)
            {
                Item item = items[i];
                VendorItem offer = vendor.GetVendorItem(item);
                count++;
                sum = MixHash(MixHash(MixHash(MixHash(sum, item.Serial.Value), item.ItemID), item.Hue), item.Amount);
                sum = MixHash(MixHash(MixHash(sum, item.LabelNumber), HashOf(item.Name)), offer == null ? -2 : offer.Price);

                if (item is Container)
                    sum = AddToSignature(vendor, item, sum, ref count);
            }

            return MixHash(sum, items.Count);
        }

        private static int HashOf(string text)
        {
            return text == null ? 0 : text.GetHashCode();
        }

        private static ulong MixHash(ulong sum, int value)
        {
            return unchecked((sum ^ (uint)value) * 1099511628211UL);
        }

        private static IEnumerator CompareVendor(PlayerVendor vendor, Snapshot snapshot)
        {
            var goods = new VendorGoods(m_VendorItems.Clear().OpenList());

            for (IEnumerator steps = goods.Read(vendor); steps.MoveNext(); )
                yield return null;

            if (vendor.Deleted)
                yield break;

            JsonWriter row = WriteVendor(vendor, goods);
            VendorState last;

            if (!m_VendorStates.TryGetValue(vendor.Serial.Value, out last))
                m_VendorStates[vendor.Serial.Value] = last = new VendorState();

            ulong hash = row.Hash();
            bool isChanged = last.RowHash != hash;
            last.RowHash = hash;
            last.Signature = ComputeSignature(vendor);

            if (snapshot != null)
                snapshot.Add(row);
            else if (isChanged && m_Market.HasBaseline)
                Events.Emit("vendor.upsert", null, row);
        }

        private static JsonWriter WriteVendor(PlayerVendor vendor, VendorGoods goods)
        {
            string house = vendor.House == null || vendor.House.Sign == null ? null : vendor.House.Sign.GetName();

            return m_VendorRow.Clear().Open().Open("vendor").Serial("serial", vendor.Serial).Text("shopName", vendor.ShopName).Serial("ownerSerial", vendor.Owner).Field("ownerName", Facts.NameOf(vendor.Owner))
                .Account("ownerAcct", Facts.AccountOf(vendor.Owner)).Field("hidden", !vendor.VendorSearch).Open("location").PlaceFields(vendor.Map, vendor.Location).Text("house", house).Close().Close()
                .Field("total", goods.Total).Field("truncated", goods.IsTruncated).FieldRaw("items", goods.Items.CloseList()).Close();
        }

        public static int CountItems(PlayerVendor vendor)
        {
            var goods = new VendorGoods(null);

            for (IEnumerator steps = goods.Read(vendor); steps.MoveNext(); )
            { }

            return goods.Total;
        }

        private sealed class VendorGoods
        {
            public readonly JsonWriter Items; // null if the items are only counted
            public int Total;
            public bool IsTruncated;

            private int m_Steps;

            public VendorGoods(JsonWriter items)
            {
                Items = items;
            }

            public IEnumerator Read(PlayerVendor vendor)
            {
                return Read(vendor, vendor.Backpack, null);
            }

            /// <summary>An item in a container that is for sale has the price of the container.</summary>
            private IEnumerator Read(PlayerVendor vendor, Item container, int? inherited)
            {
                if (container == null || container.Deleted)
                    yield break;

                foreach (Item item in container.Items.ToArray())
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

                if (Items.Length > MaxRowChars)
                {
                    IsTruncated = true;
                    return;
                }

                Items.Open().ItemFields(item, true).Field("price", Math.Max(-1, price)).Field("child", isChild).Close();
            }
        }
    }
}
