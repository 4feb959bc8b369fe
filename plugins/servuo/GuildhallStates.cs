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
    internal static class EnumNames<T> where T : struct
    {
        private static readonly Dictionary<T, string> m_Cache = new Dictionary<T, string>();

        public static string Get(T value)
        {
            string name;

            if (!m_Cache.TryGetValue(value, out name))
                m_Cache[value] = name = value.ToString();

            return name;
        }
    }

    /// <summary>The rows that one snapshot replaces, such as all houses.</summary>
    internal sealed class Family
    {
        public readonly string Name;

        /// <summary>True after the first complete pass: the job reports differences from then on.</summary>
        public bool HasBaseline;

        private bool m_IsRequested;

        public Family(string name)
        {
            Name = name;
        }

        public void RequestSnapshot()
        {
            m_IsRequested = true;
        }

        /// <summary>Returns a snapshot to fill if the site needs one, else null.</summary>
        public Snapshot BeginSnapshot()
        {
            bool isRequested = m_IsRequested;
            m_IsRequested = false;
            return isRequested ? new Snapshot(Name) : null;
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
        private readonly List<MemoryPage> m_Pages = new List<MemoryPage>();
        private MemoryPage m_Page;
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
            m_Page = PagePool.Take(head.Length + bytes + TailBytes);
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

            foreach (MemoryPage page in m_Pages)
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

        private static readonly Dictionary<string, Job> m_JobsByFamily = new Dictionary<string, Job>();
        private static Job m_PresenceJob;
        private static bool m_HasReceivedHello;

        public static void Register()
        {
            m_PresenceJob = Scheduler.Add("presence", 15, ReportPresence);
            Scheduler.Add("server", 30, ReportServer);
            Scheduler.Add("accounts", 30, CompareAccounts);
            Scheduler.Add("champions", 2, CompareAltars);
            Scheduler.Add("pages", 2, ComparePages);
            Scheduler.Add("town crier", 5, CompareCrierEntries);
            Scheduler.Add("sums", 60, Sums.Report);
            Scheduler.Add("sold", 1, CompareSoldVendors);
            m_JobsByFamily["house"] = Scheduler.Add("houses", 30, CompareHouses);
            m_JobsByFamily["market"] = Scheduler.Add("market", 60, CompareMarket);
            m_JobsByFamily["points"] = Scheduler.Add("points", 60, CompareBoards);
            m_JobsByFamily["guild"] = Scheduler.Add("guilds", 15, CompareGuilds);
            m_JobsByFamily["governor"] = Scheduler.Add("governors", 30, CompareCities);

            foreach (IAccount account in Accounts.GetAccounts())
                StoreAccount(account as Account);
        }

        /// <summary>Forgets the last reports, because a new site has none of them.</summary>
        public static void ForgetReports()
        {
            m_HasReceivedHello = false;
            m_ReportHashes.Clear();
        }

        /// <summary>
        /// Requests the snapshots that the site needs. After the first hello of a process, requests all of them,
        /// because after a crash the world has returned to its last save.
        /// </summary>
        public static void HandleHello(string[] families)
        {
            if (m_HasReceivedHello)
                RequestSnapshots(families);
            else
                RequestAllSnapshots();

            m_ReportHashes.Clear();
            m_PresenceJob.RunSoon();

            if (!m_HasReceivedHello)
                Events.Emit("server.hello", null, new JsonWriter().Open().Text("shard", ServerList.ServerName).Field("version", Facts.ServerVersion).Field("expansion", Core.Expansion.ToString())
                    .Field("protocol", 8).Field("bootId", Link.BootId).Field("uptimeMs", Facts.UptimeMs).Field("clock", Facts.Now).Close());

            m_HasReceivedHello = true;
        }

        public static void RequestAllSnapshots()
        {
            RequestSnapshots(Array.ConvertAll(m_Families, family => family.Name));
        }

        public static void RequestSnapshots(IEnumerable<string> families)
        {
            foreach (string name in families)
            {
                Job job;
                Family family = Array.Find(m_Families, each => each.Name == name);

                if (family == null || !m_JobsByFamily.TryGetValue(name, out job))
                    continue;

                family.RequestSnapshot();
                job.RunSoon();
            }
        }

        // ---- last reports

        private static readonly Dictionary<string, ulong> m_ReportHashes = new Dictionary<string, ulong>();

        /// <summary>Reports a state if it differs from the last report of its kind.</summary>
        private static bool EmitIfChanged(string kind, JsonWriter payload)
        {
            ulong lastHash, hash = payload.Hash();

            if (m_ReportHashes.TryGetValue(kind, out lastHash) && lastHash == hash)
                return false;

            m_ReportHashes[kind] = hash;
            Events.Emit(kind, null, payload);
            return true;
        }

        // ---- online players

        private static Dictionary<int, string> m_OnlineNames = new Dictionary<int, string>(); // of characters online
        private static DateTime m_PresenceReportedAt;

        private static IEnumerator ReportPresence()
        {
            var players = new JsonWriter(4096).OpenList();
            var byMap = new Dictionary<string, int>();
            var byRegion = new Dictionary<string, int>();
            var names = new Dictionary<int, string>();
            int count = 0, steps = 0;

            foreach (NetState state in NetState.Instances.ToArray())
            {
                Mobile m = state.Mobile;

                if (m == null || m.NetState != state || !Facts.IsPublicPlayer(m) || m.Map == null || m.Map == Map.Internal)
                    continue;

                string region = Facts.RegionAt(m.Map, m.Location);
                count++;
                Increment(byMap, m.Map.Name ?? "");
                Increment(byRegion, region ?? "Wilderness");
                players.Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Account("acct", Facts.AccountOf(m)).Text("map", m.Map.Name)
                    .Field("x", m.X).Field("y", m.Y).Field("z", m.Z).Text("region", region).Close();
                CompareName(m, names);

                if (++steps % 20 == 0)
                    yield return null;
            }

            m_OnlineNames = names;
            var payload = new JsonWriter(4096).Open().Field("count", count);
            WriteCounts(payload, "byMap", byMap);
            WriteCounts(payload, "byRegion", byRegion);

            // The site counts online players by this event, so report it each minute even without a change.
            if (DateTime.UtcNow - m_PresenceReportedAt > TimeSpan.FromSeconds(58))
                m_ReportHashes.Remove("presence.online");

            if (EmitIfChanged("presence.online", payload.FieldRaw("players", players.CloseList()).Close()))
                m_PresenceReportedAt = DateTime.UtcNow;
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

        private static void CompareName(Mobile m, Dictionary<int, string> names)
        {
            string former;
            names[m.Serial.Value] = m.Name;

            if (m_OnlineNames.TryGetValue(m.Serial.Value, out former) && former != m.Name)
                Events.Emit("character.renamed", Events.MakeKey("renamed", m), new JsonWriter().Open().Serial("serial", m.Serial).Account("acct", Facts.AccountOf(m)).Text("old", former).Field("new", Facts.NameOf(m)).Close());
        }

        // ---- the server

        private static IEnumerator ReportServer()
        {
            Events.Emit("server.heartbeat", null, Events.WriteWorldSize(new JsonWriter().Open().Field("online", NetState.Instances.Count)).Field("guilds", BaseGuild.List.Count)
                .Field("memBytes", Link.MemoryBytes).Field("uptimeMs", Facts.UptimeMs).Close());
            yield return null;
            EmitIfChanged("world.ruleset", WriteRuleset());
            yield return null;

            if (!AutoRestart.Enabled || AutoRestart.RestartTime == DateTime.MinValue)
                yield break;

            // The game stores this time in local time.
            DateTime at = DateTime.SpecifyKind(AutoRestart.RestartTime, DateTimeKind.Local);
            EmitIfChanged("server.restart.scheduled", new JsonWriter().Open().Field("at", at).Close());
        }

        private static JsonWriter WriteRuleset()
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

        private sealed class AccountState
        {
            public bool IsBanned;
            public AccessLevel Access;
            public char Hashing; // format in which the password is stored
            public string Password; // as the game stores it; compared, never sent
        }

        private static readonly Dictionary<Account, AccountState> m_AccountStates = new Dictionary<Account, AccountState>();

        private static AccountState StoreAccount(Account account)
        {
            if (account == null)
                return null;

            var last = new AccountState { IsBanned = account.Banned, Access = account.AccessLevel };
            last.Password = ReadPassword(account, out last.Hashing);
            m_AccountStates[account] = last;
            return last;
        }

        /// <summary>Reports a new account at its first sign-in, with the address.</summary>
        public static void ReportIfNewAccount(string name, string address)
        {
            var account = Accounts.GetAccount(name) as Account;

            if (account != null && !m_AccountStates.ContainsKey(account))
                ReportNewAccount(account, address, "game");
        }

        public static void ReportNewAccount(Account account, string address, string via)
        {
            StoreAccount(account);

            if (Facts.IsPlainName(account.Username))
                Events.Emit("account.created", Events.MakeKey("account", account.Username.ToLowerInvariant()), new JsonWriter().Open().Field("acct", account.Username).Field("ip", address).Field("via", via).Close());
        }

        /// <summary>
        /// Reports an action on an account, and stores the account's state so that the next pass does not
        /// report the action again.
        /// </summary>
        public static void ReportAudit(Account account, string action, string by, string detail)
        {
            StoreAccount(account);
            EmitAccountAudit(account.Username, action, by, detail);
        }

        private static void EmitAccountAudit(string account, string action, string by, string detail)
        {
            if (Facts.IsPlainName(account))
                Events.Emit("account.audit", Events.MakeKey("audit:" + action, account.ToLowerInvariant()), new JsonWriter().Open().Field("acct", account).Field("action", action).Text("by", by).Field("detail", Facts.Cut(detail, 4000)).Close());
        }

        private static IEnumerator CompareAccounts()
        {
            var accounts = new List<IAccount>(Accounts.GetAccounts());
            DateTime weekAgo = DateTime.UtcNow.AddDays(-7);
            double currency = 0;
            int active = 0;

            for (int i = 0; i < accounts.Count; i++)
            {
                var account = accounts[i] as Account;

                if (account == null)
                    continue;

                currency += account.TotalCurrency;
                active += account.LastLogin > weekAgo ? 1 : 0;
                CompareAccount(account);

                if (i % 25 == 24)
                    yield return null;
            }

            var storedAccounts = new List<Account>(m_AccountStates.Keys);

            for (int i = 0; i < storedAccounts.Count; i++)
            {
                if (Accounts.GetAccount(storedAccounts[i].Username) != storedAccounts[i])
                {
                    m_AccountStates.Remove(storedAccounts[i]);
                    EmitAccountAudit(storedAccounts[i].Username, "deleted", null, null);
                }

                if (i % 100 == 99)
                    yield return null;
            }

            yield return null;
            long vendorsGold = 0;

            foreach (PlayerVendor vendor in ListVendors())
                vendorsGold += Math.Max(0, vendor.HoldGold) + Math.Max(0, vendor.BankAccount);

            EmitIfChanged("economy.snapshot", new JsonWriter().Open().Field("accounts", accounts.Count).Field("gold", Events.ToCoins(currency)).Field("platinum", (long)currency)
                .Field("vendorsGold", vendorsGold).Field("activeAccounts7d", active).Close());
        }

        private static void CompareAccount(Account account)
        {
            AccountState last;

            if (!m_AccountStates.TryGetValue(account, out last))
            {
                ReportNewAccount(account, null, "game");
                return;
            }

            bool isBanned = account.Banned;

            if (isBanned != last.IsBanned)
                EmitAccountAudit(account.Username, isBanned ? "banned" : "unbanned", isBanned ? account.GetTag("BanDealer") : null, null);

            if (account.AccessLevel != last.Access)
                EmitAccountAudit(account.Username, "access", null, last.Access + " -> " + account.AccessLevel);

            char hashing;
            string password = ReadPassword(account, out hashing);

            // At sign-in the game may store the same password in a newer format, which is no change.
            if (password != last.Password && hashing == last.Hashing)
                EmitAccountAudit(account.Username, "password", null, null);

            last.IsBanned = isBanned;
            last.Access = account.AccessLevel;
            last.Hashing = hashing;
            last.Password = password;
        }

        private static string ReadPassword(Account account, out char hashing)
        {
            hashing = account._SHA512Password != null ? '5' : account._SHA1Password != null ? '1' : account._MD5Password != null ? 'M' : 'P';
            return account._SHA512Password ?? account._SHA1Password ?? account._MD5Password ?? account.PlainPassword;
        }
    }
}
