// Guildhall plugin for ServUO: writes objects of the game as JSON. Core thread only.
using System;
using System.Collections.Generic;
using System.Text;
using Server;
using Server.Accounting;
using Server.Items;
using Server.Misc;
using Server.Mobiles;
using Server.Network;
using Server.Regions;

namespace Guildhall
{
    internal static class Facts
    {
        private const int MaxTextChars = 500;
        private static readonly DateTime m_StartedAt = DateTime.UtcNow;

        public static long UptimeMs { get { return (long)(DateTime.UtcNow - m_StartedAt).TotalMilliseconds; } }

        public static long Now { get { return JsonWriter.EpochMs(DateTime.UtcNow); } }

        /// <summary>Returns the JSON members that describe this server in a hello.</summary>
        public static string WriteIdentity()
        {
            var capabilities = new JsonWriter().OpenList();

            foreach (string name in FileCalls.FindCapabilities())
                capabilities.Value(name);

            foreach (string name in new[] { "atlas", "bodies", "pages", "towncrier", "signup", "links", "champions" })
                capabilities.Value(name);

            string server = new JsonWriter().Open().Field("name", Cut(ServerList.ServerName, 128)).Field("version", ServerVersion)
                .Field("expansion", Core.Expansion.ToString()).Close().ToString();
            string plugin = new JsonWriter().Open().Field("name", "guildhall-servuo").Field("version", Plugin.Version).Close().ToString();
            return "\"plugin\":" + plugin + ",\"server\":" + server + ",\"capabilities\":" + capabilities.CloseList();
        }

        public static string ServerVersion { get { return "ServUO " + Core.Version; } }

        // ---- texts

        /// <summary>Cuts a text without splitting a surrogate pair.</summary>
        public static string Cut(string text, int maxLength)
        {
            if (text == null || text.Length <= maxLength)
                return text;

            return text.Substring(0, Char.IsHighSurrogate(text[maxLength - 1]) ? maxLength - 1 : maxLength);
        }

        public static JsonWriter Text(this JsonWriter writer, string name, string value)
        {
            return writer.Field(name, Cut(value, MaxTextChars));
        }

        /// <summary>Writes an account's name; null for a name with characters that the site does not accept.</summary>
        public static JsonWriter Account(this JsonWriter writer, string name, string account)
        {
            return writer.Field(name, IsPlainName(account) ? account : null);
        }

        public static bool IsPlainName(string account)
        {
            if (account == null || account.Length > MaxTextChars)
                return false;

            foreach (char c in account)
            {
                if (c < ' ' || c == '<' || c == '>' || (c > '~' && !Char.IsLetterOrDigit(c)))
                    return false;
            }

            return true;
        }

        public static string AccountOf(Mobile m)
        {
            return m == null || m.Account == null ? null : m.Account.Username;
        }

        public static string NameOf(Mobile m)
        {
            return m == null ? null : Cut(m.Name ?? "", MaxTextChars);
        }

        private static readonly Dictionary<Type, string> m_TypeNames = new Dictionary<Type, string>();

        /// <summary>Returns the name of an object's class, cached because the runtime allocates it at each call.</summary>
        public static string TypeName(object thing)
        {
            string name;
            Type type = thing.GetType();

            if (!m_TypeNames.TryGetValue(type, out name))
                m_TypeNames[type] = name = type.Name;

            return name;
        }

        // ---- serials

        public static JsonWriter Serial(this JsonWriter writer, string name, Serial serial)
        {
            return serial.Value > 0 ? writer.FieldHex(name, serial.Value) : writer.Null(name);
        }

        public static JsonWriter Serial(this JsonWriter writer, string name, IEntity entity)
        {
            return entity == null ? writer.Null(name) : writer.Serial(name, entity.Serial);
        }

        /// <summary>Returns null for a serial that identifies no object.</summary>
        public static string SerialText(Serial serial)
        {
            return serial.Value > 0 ? "0x" + serial.Value.ToString("X8") : null;
        }

        /// <summary>Reads `0x` and up to 8 hex digits; returns 0 for any other text.</summary>
        public static int ReadSerial(string text)
        {
            int value;

            if (text == null || text.Length < 3 || text.Length > 10 || !text.StartsWith("0x", StringComparison.OrdinalIgnoreCase))
                return 0;

            return Int32.TryParse(text.Substring(2), System.Globalization.NumberStyles.AllowHexSpecifier, System.Globalization.CultureInfo.InvariantCulture, out value) && value > 0 ? value : 0;
        }

        // ---- people

        /// <summary>True for players who are not staff: public data never shows staff.</summary>
        public static bool IsPublicPlayer(Mobile m)
        {
            return m is PlayerMobile && !m.Deleted && m.AccessLevel < AccessLevel.Counselor;
        }

        public static bool IsStaff(Account account)
        {
            if (account.AccessLevel >= AccessLevel.Counselor)
                return true;

            foreach (Mobile m in CharactersOf(account))
            {
                if (m.AccessLevel >= AccessLevel.Counselor)
                    return true;
            }

            return false;
        }

        public static IEnumerable<Mobile> CharactersOf(IAccount account)
        {
            for (int i = 0; i < account.Length; i++)
            {
                Mobile m = account[i];

                if (m != null)
                    yield return m;
            }
        }

        /// <summary>Writes `{ serial, name }`, or null.</summary>
        public static JsonWriter Person(this JsonWriter writer, string name, Mobile m)
        {
            if (m == null || m.Serial.Value <= 0)
                return writer.Null(name);

            return writer.Open(name).Serial("serial", m.Serial).Field("name", NameOf(m)).Close();
        }

        /// <summary>Writes `{ serial, name, acct }`, or null.</summary>
        public static JsonWriter PersonWithAccount(this JsonWriter writer, string name, Mobile m)
        {
            if (m == null || m.Serial.Value <= 0)
                return writer.Null(name);

            return writer.Open(name).Serial("serial", m.Serial).Field("name", NameOf(m)).Account("acct", AccountOf(m)).Close();
        }

        /// <summary>Returns the owner of a pet, who is responsible for its actions, or else the creature itself.</summary>
        public static Mobile FindResponsible(Mobile m)
        {
            var creature = m as BaseCreature;
            Mobile master = creature == null ? null : creature.GetMaster();
            return master ?? m;
        }

        // ---- places

        public static JsonWriter Place(this JsonWriter writer, string name, IEntity entity)
        {
            return writer.Place(name, entity.Map, entity.Location);
        }

        public static JsonWriter Place(this JsonWriter writer, string name, Map map, Point3D at)
        {
            return writer.Open(name).PlaceFields(map, at).Close();
        }

        public static JsonWriter PlaceFields(this JsonWriter writer, Map map, Point3D at)
        {
            return writer.Text("map", map == null ? null : map.Name).Field("x", at.X).Field("y", at.Y).Field("z", at.Z).Text("region", RegionAt(map, at));
        }

        /// <summary>
        /// Returns the name of the region at a place, or null. Skips the region of a house, which has neither a
        /// name nor a parent and lies above the others.
        /// </summary>
        public static string RegionAt(Map map, Point3D at)
        {
            if (map == null || map == Map.Internal)
                return null;

            List<RegionRect> rects = map.GetSector(at).RegionRects;

            for (int i = 0; i < rects.Count; i++)
            {
                if (rects[i].Region is HouseRegion || !rects[i].Contains(at))
                    continue;

                string name = NameOf(rects[i].Region);

                if (name != null)
                    return name;
            }

            return null;
        }

        /// <summary>Returns the name of a region, or of its nearest ancestor that has a name.</summary>
        public static string NameOf(Region region)
        {
            while (region != null && String.IsNullOrEmpty(region.Name))
                region = region.Parent;

            return region == null ? null : region.Name;
        }

        /// <summary>Finds the place of a character; for an offline character, the place of its logout.</summary>
        public static void FindPlace(Mobile m, out Map map, out Point3D at)
        {
            bool isAway = (m.Map == null || m.Map == Map.Internal) && m.LogoutMap != null;
            map = isAway ? m.LogoutMap : m.Map;
            at = isAway ? m.LogoutLocation : m.Location;
        }

        // ---- items

        private const int AmountAndName = 1050039; // ~1_NUMBER~ ~2_ITEMNAME~
        private const int LabelsPerList = 200;
        private static readonly int[] m_LiteralClilocs = { 1042971, 1070722 }; // ~1_NOTHING~
        private static ObjectPropertyList m_Labels;
        private static int m_LabelCount;

        /// <summary>
        /// Finds the name that the client shows for an item: a literal name, or a cliloc with its arguments. Makes
        /// only the line of the name, and shares a property list between many items, because each list takes a
        /// buffer from the game's pool.
        /// </summary>
        public static void FindLabel(Item item, out string name, out int cliloc, out string args)
        {
            name = null;
            args = null;
            cliloc = 0;

            try
            {
                if (m_Labels == null || ++m_LabelCount % LabelsPerList == 0)
                    m_Labels = new ObjectPropertyList(item);

                m_Labels.Header = 0; // the next line becomes the header
                m_Labels.HeaderArgs = null;
                item.AddNameProperty(m_Labels);
                cliloc = m_Labels.Header;
                args = m_Labels.HeaderArgs;
            }
            catch (Exception e)
            {
                // A fault in one class of items must not end the list of a vendor.
                Journal.Report("name of " + item.GetType().Name, e);
                m_Labels = null;
                name = item.Name;
                cliloc = item.LabelNumber;
            }

            if (cliloc == AmountAndName && args != null)
            {
                // Remove the amount from the arguments, because the item has a field `amount`.
                string rest = args.Substring(args.IndexOf('\t') + 1);
                int number;
                bool isNumber = rest.Length > 1 && rest[0] == '#' && Int32.TryParse(rest.Substring(1), out number);
                cliloc = isNumber ? Int32.Parse(rest.Substring(1)) : 0;
                name = isNumber ? null : rest;
                args = null;
            }
            else if (Array.IndexOf(m_LiteralClilocs, cliloc) >= 0 && args != null)
            {
                name = args;
                cliloc = 0;
                args = null;
            }

            if (String.IsNullOrEmpty(args))
                args = null;
        }

        /// <summary>Writes `serial, itemId, hue, amount, name, cliloc` and, if `withArgs` is true, `args`.</summary>
        public static JsonWriter ItemFields(this JsonWriter writer, Item item, bool withArgs)
        {
            string name, args;
            int cliloc;
            FindLabel(item, out name, out cliloc, out args);

            writer.Serial("serial", item.Serial).Field("itemId", item.ItemID).Field("hue", Math.Max(0, item.Hue)).Field("amount", Math.Max(0, item.Amount))
                .Text("name", String.IsNullOrEmpty(name) ? null : name).Field("cliloc", cliloc > 0 ? (long?)cliloc : null);

            return withArgs ? writer.Field("args", Cut(args, 2000)) : writer;
        }
    }
}
