// Guildhall plugin for ServUO: jobs that read states for which the game raises no event, and report the
// differences from the last pass. Core thread only, in the slices of Guildhall.cs.
using System;
using System.Collections;
using System.Collections.Generic;
using Server;
using Server.Accounting;
using Server.Engines.CannedEvil;
using Server.Engines.VvV;
using Server.Guilds;
using Server.Misc;
using Server.Mobiles;
using Server.Multis;
using Server.Network;

namespace Guildhall
{
    /// <summary>A cache of an enum's names, because the runtime looks them up slowly and allocates each.</summary>
    internal static class Names<T> where T : struct
    {
        private static readonly Dictionary<T, string> m_Names = new Dictionary<T, string>();

        public static string Of(T value)
        {
            string name;

            if (!m_Names.TryGetValue(value, out name))
                m_Names[value] = name = value.ToString();

            return name;
        }
    }

    /// <summary>The rows that one snapshot replaces, such as all houses.</summary>
    internal sealed class Family
    {
        public readonly string Name;

        /// <summary>True after the first complete pass: the job reports differences from then on.</summary>
        public bool HasBaseline;

        private bool m_IsWanted;

        public Family(string name)
        {
            Name = name;
        }

        public void Want()
        {
            m_IsWanted = true;
        }

        /// <summary>Returns a snapshot to fill if the site needs one, else null.</summary>
        public Snapshot Begin()
        {
            bool isWanted = m_IsWanted;
            m_IsWanted = false;
            return isWanted ? new Snapshot(Name) : null;
        }
    }

    /// <summary>
    /// The rows of a family in pages. The first event contains the number of pages, so nothing is sent before
    /// all rows are read. Until then the family's job reports no changed rows.
    /// </summary>
    internal sealed class Snapshot
    {
        private const int TailBytes = 2;

        private readonly string m_Family;
        private readonly string m_Id = Guid.NewGuid().ToString();
        private readonly List<Page> m_Pages = new List<Page>();
        private Page m_Page;
        private int m_Count;

        public Snapshot(string family)
        {
            m_Family = family;
        }

        public void Add(JsonWriter row)
        {
            int bytes = row.CountBytes();

            if (m_Page != null && m_Page.Room < 1 + bytes + TailBytes)
                EndPage();

            if (m_Page == null)
                BeginPage(bytes);
            else
                m_Page.Append(',');

            m_Page.Append(row);
            m_Count++;
        }

        /// <summary>Begins a page with room for a first row of this number of bytes.</summary>
        private void BeginPage(int bytes)
        {
            JsonWriter head = new JsonWriter(128).Open().Field("snapshotId", m_Id).Field("page", m_Pages.Count + 1).OpenList("rows");
            m_Page = Pages.Take(head.Length + bytes + TailBytes);
            m_Page.Append(head);
        }

        private void EndPage()
        {
            m_Page.Append(']');
            m_Page.Append('}');
            m_Pages.Add(m_Page);
            m_Page = null;
        }

        public IEnumerator Send()
        {
            if (m_Page != null)
                EndPage();

            Events.Emit(m_Family + ".snapshot.begin", null, new JsonWriter().Open().Field("snapshotId", m_Id).Field("pages", m_Pages.Count).Field("count", m_Count).Close());

            foreach (Page page in m_Pages)
            {
                yield return null;
                EventBuffer.Add(m_Family + ".snapshot.page", Facts.Now, page);
            }

            Events.Emit(m_Family + ".snapshot.end", null, new JsonWriter().Open().Field("snapshotId", m_Id).Close());
        }
    }

    internal static partial class States
    {
        private static readonly Family m_Houses = new Family("house");
        private static readonly Family m_Market = new Family("market");
        private static readonly Family m_Points = new Family("points");
        private static readonly Family m_Guilds = new Family("guild");
        private static readonly Family m_Governors = new Family("governor");
        private static readonly Family[] m_Families = { m_Houses, m_Market, m_Points, m_Guilds, m_Governors };

        private static readonly Dictionary<string, Job> m_JobOf = new Dictionary<string, Job>();
        private static Job m_PresenceJob;
        private static bool m_HadHello;

        public static void Register()
        {
            m_PresenceJob = Turns.Add("presence", 15, Presence);
            Turns.Add("server", 30, ServerFacts);
            Turns.Add("accounts", 30, AccountsPass);
            Turns.Add("champions", 2, Champions);
            Turns.Add("pages", 2, Pages);
            Turns.Add("town crier", 5, TownCrier);
            Turns.Add("sums", 60, Sums.Tell);
            Turns.Add("sold", 1, SoldVendors);
            m_JobOf["house"] = Turns.Add("houses", 30, Houses);
            m_JobOf["market"] = Turns.Add("market", 60, Market);
            m_JobOf["points"] = Turns.Add("points", 60, PointsBoards);
            m_JobOf["guild"] = Turns.Add("guilds", 15, GuildsPass);
            m_JobOf["governor"] = Turns.Add("governors", 30, Governors);

            foreach (IAccount account in Accounts.GetAccounts())
                RememberAccount(account as Account);
        }

        /// <summary>Forgets the last reports, because a new site has none of them.</summary>
        public static void ForgetSite()
        {
            m_HadHello = false;
            m_Facts.Clear();
        }

        /// <summary>
        /// Requests the snapshots that the site needs. After the first hello of a process, requests all of them,
        /// because after a crash the world has returned to its last save.
        /// </summary>
        public static void OnHello(string[] families)
        {
            if (m_HadHello)
                Resync(families);
            else
                WantAll();

            m_Facts.Clear();
            m_PresenceJob.Hurry();

            if (!m_HadHello)
                Events.Emit("server.hello", null, new JsonWriter().Open().Text("shard", ServerList.ServerName).Field("version", Facts.ServerVersion).Field("expansion", Core.Expansion.ToString())
                    .Field("protocol", 8).Field("bootId", Link.BootId).Field("uptimeMs", Facts.UptimeMs).Field("clock", Facts.Now).Close());

            m_HadHello = true;
        }

        public static void WantAll()
        {
            Resync(Array.ConvertAll(m_Families, family => family.Name));
        }

        public static void Resync(IEnumerable<string> families)
        {
            foreach (string name in families)
            {
                Job job;
                Family family = Array.Find(m_Families, one => one.Name == name);

                if (family == null || !m_JobOf.TryGetValue(name, out job))
                    continue;

                family.Want();
                job.Hurry();
            }
        }

        // ---- last reports

        private static readonly Dictionary<string, ulong> m_Facts = new Dictionary<string, ulong>();

        /// <summary>Reports a state if it differs from the last report of its kind.</summary>
        private static bool EmitIfChanged(string kind, JsonWriter payload)
        {
            ulong known, hash = payload.Hash();

            if (m_Facts.TryGetValue(kind, out known) && known == hash)
                return false;

            m_Facts[kind] = hash;
            Events.Emit(kind, null, payload);
            return true;
        }

        // ---- online players

        private static Dictionary<int, string> m_Names = new Dictionary<int, string>(); // of characters online
        private static DateTime m_PresenceTold;

        private static IEnumerator Presence()
        {
            var players = new JsonWriter(4096).OpenList();
            var byMap = new Dictionary<string, int>();
            var byRegion = new Dictionary<string, int>();
            var names = new Dictionary<int, string>();
            int count = 0, steps = 0;

            foreach (NetState state in NetState.Instances.ToArray())
            {
                Mobile m = state.Mobile;

                if (m == null || m.NetState != state || !Facts.IsShown(m) || m.Map == null || m.Map == Map.Internal)
                    continue;

                string region = Facts.RegionAt(m.Map, m.Location);
                count++;
                Increment(byMap, m.Map.Name ?? "");
                Increment(byRegion, region ?? "Wilderness");
                players.Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Account("acct", Facts.AccountOf(m)).Text("map", m.Map.Name)
                    .Field("x", m.X).Field("y", m.Y).Field("z", m.Z).Text("region", region).Close();
                NoteName(m, names);

                if (++steps % 20 == 0)
                    yield return null;
            }

            m_Names = names;
            var payload = new JsonWriter(4096).Open().Field("count", count);
            WriteCounts(payload, "byMap", byMap);
            WriteCounts(payload, "byRegion", byRegion);

            // The site counts online players by this event, so report it each minute even without a change.
            if (DateTime.UtcNow - m_PresenceTold > TimeSpan.FromSeconds(58))
                m_Facts.Remove("presence.online");

            if (EmitIfChanged("presence.online", payload.FieldRaw("players", players.CloseList()).Close()))
                m_PresenceTold = DateTime.UtcNow;
        }

        private static void Increment(Dictionary<string, int> counts, string name)
        {
            int count;
            counts.TryGetValue(name, out count);
            counts[name] = count + 1;
        }

        private static void WriteCounts(JsonWriter to, string name, Dictionary<string, int> counts)
        {
            to.Open(name);

            foreach (var entry in counts)
                to.Field(entry.Key, entry.Value);

            to.Close();
        }

        private static void NoteName(Mobile m, Dictionary<int, string> names)
        {
            string former;
            names[m.Serial.Value] = m.Name;

            if (m_Names.TryGetValue(m.Serial.Value, out former) && former != m.Name)
                Events.Emit("character.renamed", Events.Key("renamed", m), new JsonWriter().Open().Serial("serial", m.Serial).Account("acct", Facts.AccountOf(m)).Text("old", former).Field("new", Facts.NameOf(m)).Close());
        }

        // ---- the server

        private static IEnumerator ServerFacts()
        {
            Events.Emit("server.heartbeat", null, Events.WorldSize(new JsonWriter().Open().Field("online", NetState.Instances.Count)).Field("guilds", BaseGuild.List.Count)
                .Field("memBytes", Link.MemoryBytes).Field("uptimeMs", Facts.UptimeMs).Close());
            yield return null;
            EmitIfChanged("world.ruleset", Ruleset());
            yield return null;

            if (!AutoRestart.Enabled || AutoRestart.RestartTime == DateTime.MinValue)
                yield break;

            // The game stores this time in local time.
            DateTime at = DateTime.SpecifyKind(AutoRestart.RestartTime, DateTimeKind.Local);
            EmitIfChanged("server.restart.scheduled", new JsonWriter().Open().Field("at", at).Close());
        }

        private static JsonWriter Ruleset()
        {
            var rules = new JsonWriter(1024).Open().Field("expansion", Core.Expansion.ToString()).OpenList("maps");

            foreach (Map map in Map.AllMaps)
            {
                if (map != Map.Internal)
                    rules.Open().Field("name", Facts.Cut(map.Name ?? "", 500)).Field("rules", RulesOf(map)).Close();
            }

            rules.CloseList().Field("skillCap", Config.Get("PlayerCaps.SkillCap", 1000)).Field("totalSkillCap", Config.Get("PlayerCaps.TotalSkillCap", 7000)).Field("statCap", Config.Get("PlayerCaps.TotalStatCap", 225))
                .Field("accountsPerIp", Config.Get("Accounts.AccountsPerIp", 1)).Field("houseLimit", BaseHouse.AccountHouseLimit).Field("youngHours", (long)Account.YoungDuration.TotalHours)
                .Field("restartHour", AutoRestart.Enabled ? (long?)AutoRestart.Hour : null).Field("vendorMaxPrice", 175000000)
                .Field("signupMode", Signup.Mode).Field("vvv", ViceVsVirtueSystem.Enabled).Field("siege", Siege.SiegeShard).Open("decay").Field("type", DynamicDecay.Enabled ? "dynamic" : "static").OpenList("periods");

            foreach (string period in DynamicDecay.Enabled ? new[] { "1h", "24-48h", "24-48h", "24-48h", "24-48h", "12-24h" } : new[] { "5d" })
                rules.Value(period);

            rules.CloseList().Close().OpenList("champions");

            foreach (ChampionSpawn altar in m_Altars)
            {
                if (!altar.Deleted && altar.Map != null && altar.Map != Map.Internal)
                    rules.Open().Field("name", Facts.Cut(altar.SpawnName ?? altar.Type.ToString(), 500)).Field("type", altar.Type.ToString()).Close();
            }

            return rules.CloseList().Close();
        }

        /// <summary>Names the two usual sets of rules, which the game's own text lists as flags.</summary>
        private static string RulesOf(Map map)
        {
            if (map.Rules == MapRules.FeluccaRules)
                return "FeluccaRules";

            return map.Rules == MapRules.TrammelRules ? "TrammelRules" : map.Rules.ToString();
        }

        // ---- accounts

        private sealed class SeenAccount
        {
            public bool IsBanned;
            public AccessLevel Access;
            public char Hashing; // format in which the password is stored
            public string Password; // as the game stores it; compared, never sent
        }

        private static readonly Dictionary<Account, SeenAccount> m_Accounts = new Dictionary<Account, SeenAccount>();

        private static SeenAccount RememberAccount(Account account)
        {
            if (account == null)
                return null;

            var seen = new SeenAccount { IsBanned = account.Banned, Access = account.AccessLevel };
            seen.Password = PasswordOf(account, out seen.Hashing);
            m_Accounts[account] = seen;
            return seen;
        }

        /// <summary>Reports a new account at its first sign-in, with the address.</summary>
        public static void NoteAccount(string name, string address)
        {
            var account = Accounts.GetAccount(name) as Account;

            if (account != null && !m_Accounts.ContainsKey(account))
                NoteNewAccount(account, address, "game");
        }

        public static void NoteNewAccount(Account account, string address, string via)
        {
            RememberAccount(account);

            if (Facts.IsPlain(account.Username))
                Events.Emit("account.created", Events.Key("account", account.Username.ToLowerInvariant()), new JsonWriter().Open().Field("acct", account.Username).Field("ip", address).Field("via", via).Close());
        }

        /// <summary>Reports an action on an account, so that the next pass does not report it again.</summary>
        public static void NoteAudit(Account account, string action, string by, string detail)
        {
            RememberAccount(account);
            EmitAccountAudit(account.Username, action, by, detail);
        }

        private static void EmitAccountAudit(string account, string action, string by, string detail)
        {
            if (Facts.IsPlain(account))
                Events.Emit("account.audit", Events.Key("audit:" + action, account.ToLowerInvariant()), new JsonWriter().Open().Field("acct", account).Field("action", action).Text("by", by).Field("detail", Facts.Cut(detail, 4000)).Close());
        }

        private static IEnumerator AccountsPass()
        {
            var all = new List<IAccount>(Accounts.GetAccounts());
            DateTime weekAgo = DateTime.UtcNow.AddDays(-7);
            double currency = 0;
            int active = 0;

            for (int i = 0; i < all.Count; i++)
            {
                var account = all[i] as Account;

                if (account == null)
                    continue;

                currency += account.TotalCurrency;
                active += account.LastLogin > weekAgo ? 1 : 0;
                CompareAccount(account);

                if (i % 25 == 24)
                    yield return null;
            }

            var seen = new List<Account>(m_Accounts.Keys);

            for (int i = 0; i < seen.Count; i++)
            {
                if (Accounts.GetAccount(seen[i].Username) != seen[i])
                {
                    m_Accounts.Remove(seen[i]);
                    EmitAccountAudit(seen[i].Username, "deleted", null, null);
                }

                if (i % 100 == 99)
                    yield return null;
            }

            yield return null;
            long vendorsGold = 0;

            foreach (PlayerVendor vendor in Vendors())
                vendorsGold += Math.Max(0, vendor.HoldGold) + Math.Max(0, vendor.BankAccount);

            EmitIfChanged("economy.snapshot", new JsonWriter().Open().Field("accounts", all.Count).Field("gold", Events.Coins(currency)).Field("platinum", (long)currency)
                .Field("vendorsGold", vendorsGold).Field("activeAccounts7d", active).Close());
        }

        private static void CompareAccount(Account account)
        {
            SeenAccount seen;

            if (!m_Accounts.TryGetValue(account, out seen))
            {
                NoteNewAccount(account, null, "game");
                return;
            }

            bool isBanned = account.Banned;

            if (isBanned != seen.IsBanned)
                EmitAccountAudit(account.Username, isBanned ? "banned" : "unbanned", isBanned ? account.GetTag("BanDealer") : null, null);

            if (account.AccessLevel != seen.Access)
                EmitAccountAudit(account.Username, "access", null, seen.Access + " -> " + account.AccessLevel);

            char hashing;
            string password = PasswordOf(account, out hashing);

            // At sign-in the game may store the same password in a newer format, which is no change.
            if (password != seen.Password && hashing == seen.Hashing)
                EmitAccountAudit(account.Username, "password", null, null);

            seen.IsBanned = isBanned;
            seen.Access = account.AccessLevel;
            seen.Hashing = hashing;
            seen.Password = password;
        }

        private static string PasswordOf(Account account, out char hashing)
        {
            hashing = account._SHA512Password != null ? '5' : account._SHA1Password != null ? '1' : account._MD5Password != null ? 'M' : 'P';
            return account._SHA512Password ?? account._SHA1Password ?? account._MD5Password ?? account.PlainPassword;
        }
    }
}
