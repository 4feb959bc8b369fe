// Guildhall plugin for ServUO: champion spawns, help pages and the town crier. Core thread only.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;
using Server;
using Server.Accounting;
using Server.Engines.CannedEvil;
using Server.Engines.Help;
using Server.Engines.Reports;
using Server.Mobiles;

namespace Guildhall
{
    internal static partial class States
    {
        // ---- champions

        private sealed class AltarState
        {
            public DateTime StartedAt;
            public int Level;
            public int Kills;
            public int WhiteSkulls;
            public Mobile Boss;
            public bool IsBossDead;
            public string Damagers; // JSON list of the players who did the most damage to the boss
            public DateTime ReportedAt;
        }

        private const int MaxDamagers = 10;
        private static readonly TimeSpan ProgressEvery = TimeSpan.FromSeconds(15);
        private static readonly HashSet<ChampionSpawn> m_Altars = new HashSet<ChampionSpawn>();
        private static readonly Dictionary<ChampionSpawn, AltarState> m_ActiveAltars = new Dictionary<ChampionSpawn, AltarState>();
        private static bool m_HasChampionBaseline;

        /// <summary>
        /// Finds the altars of the world before the game starts, because the game's list lacks altars that staff
        /// placed. A handler adds each new altar later.
        /// </summary>
        public static void FindAltars()
        {
            foreach (Item item in World.Items.Values)
            {
                var altar = item as ChampionSpawn;

                if (altar != null)
                    m_Altars.Add(altar);
            }
        }

        public static void AddAltar(ChampionSpawn altar)
        {
            m_Altars.Add(altar);
        }

        /// <summary>Stores the damage to a boss at its death, because the game deletes this data a moment later.</summary>
        public static void StoreBossDamage(BaseCreature boss)
        {
            foreach (AltarState last in m_ActiveAltars.Values)
            {
                if (last.Boss != boss)
                    continue;

                last.IsBossDead = true;
                last.Damagers = WriteDamagers(boss);
            }
        }

        private static string WriteDamagers(BaseCreature boss)
        {
            var damage = new Dictionary<Mobile, long>();

            foreach (DamageEntry entry in boss.DamageEntries)
            {
                Mobile m = Facts.FindResponsible(entry.Damager);
                long sum;

                if (!Facts.IsPublicPlayer(m))
                    continue;

                damage.TryGetValue(m, out sum);
                damage[m] = sum + Math.Max(0, entry.DamageGiven);
            }

            var order = new List<KeyValuePair<Mobile, long>>(damage);
            order.Sort((a, b) => b.Value.CompareTo(a.Value));
            var list = new JsonWriter().OpenList();

            for (int i = 0; i < order.Count && i < MaxDamagers; i++)
                list.Open().Serial("serial", order[i].Key.Serial).Field("name", Facts.NameOf(order[i].Key)).Field("damage", Math.Min(Int32.MaxValue, order[i].Value)).Close();

            return list.CloseList().ToString();
        }

        private static IEnumerator CompareAltars()
        {
            m_Altars.RemoveWhere(altar => altar.Deleted && !m_ActiveAltars.ContainsKey(altar));

            foreach (ChampionSpawn altar in new List<ChampionSpawn>(m_Altars))
            {
                CompareAltar(altar);
                yield return null;
            }

            m_HasChampionBaseline = true;
        }

        private static void CompareAltar(ChampionSpawn altar)
        {
            AltarState last;
            bool wasActive = m_ActiveAltars.TryGetValue(altar, out last);
            bool isActive = altar.Active && !altar.Deleted && altar.Map != null && altar.Map != Map.Internal;

            if (isActive && !wasActive)
                AddActiveAltar(altar);
            else if (wasActive && !isActive)
                RemoveActiveAltar(altar, last);
            else if (isActive)
                CompareActiveAltar(altar, last);
        }

        private static void AddActiveAltar(ChampionSpawn altar)
        {
            m_ActiveAltars[altar] = new AltarState { StartedAt = DateTime.UtcNow, Level = altar.Level, Kills = altar.Kills, WhiteSkulls = CountWhiteSkulls(altar), Boss = altar.Champion };

            if (m_HasChampionBaseline)
                EmitChampion("champ.start", altar, WriteAltar(altar).Field("level", altar.Level).Field("startLevel", altar.StartLevel));
        }

        /// <summary>Reports no progress while a boss lives: the game resets level and kills when it spawns.</summary>
        private static void CompareActiveAltar(ChampionSpawn altar, AltarState last)
        {
            Mobile boss = altar.Champion;

            if (boss != null && boss != last.Boss)
            {
                last.Boss = boss;
                last.IsBossDead = false;
                EmitChampion("champ.boss", altar, WriteAltar(altar).Field("champion", boss.GetType().Name).Serial("serial", boss.Serial));
            }

            if (boss != null || last.IsBossDead)
                return;

            int skulls = CountWhiteSkulls(altar);
            bool isNewStage = last.Level != altar.Level || last.WhiteSkulls != skulls;

            if (!isNewStage && (last.Kills == altar.Kills || DateTime.UtcNow - last.ReportedAt < ProgressEvery))
                return;

            last.Level = altar.Level;
            last.Kills = altar.Kills;
            last.WhiteSkulls = skulls;
            last.ReportedAt = DateTime.UtcNow;
            EmitChampion("champ.progress", altar, WriteAltar(altar).Field("level", altar.Level).Field("rank", altar.Rank).Field("kills", Math.Max(0, altar.Kills)).Field("maxKills", Math.Max(0, altar.MaxKills)).Field("whiteSkulls", skulls));
        }

        private static int CountWhiteSkulls(ChampionSpawn altar)
        {
            return altar.MaxKills > 0 ? Math.Max(0, Math.Min(4, 100 * altar.Kills / altar.MaxKills / 20)) : 0;
        }

        private static void RemoveActiveAltar(ChampionSpawn altar, AltarState last)
        {
            m_ActiveAltars.Remove(altar);
            bool isDefeated = last.IsBossDead || (last.Boss != null && (last.Boss.Deleted || !last.Boss.Alive) && altar.Champion == null && altar.RestartTime > DateTime.UtcNow);
            var payload = WriteAltar(altar).Field("outcome", isDefeated ? "defeated" : "stopped").Field("durationSec", (long)(DateTime.UtcNow - last.StartedAt).TotalSeconds);

            if (last.Damagers != null)
                payload.FieldRaw("damagers", last.Damagers);

            EmitChampion("champ.end", altar, altar.RestartTime > DateTime.UtcNow ? payload.Field("restartAt", altar.RestartTime) : payload.Null("restartAt"));
        }

        private static JsonWriter WriteAltar(ChampionSpawn altar)
        {
            return new JsonWriter(384).Open().Serial("id", altar.Serial).Text("name", altar.SpawnName).Field("type", altar.Type.ToString()).Text("group", altar.GroupName).Text("map", altar.Map == null ? null : altar.Map.Name).Place("location", altar);
        }

        private static void EmitChampion(string kind, ChampionSpawn altar, JsonWriter payload)
        {
            Events.Emit(kind, Events.MakeKey(kind, altar), payload.Close());
        }

        public static CommandOutcome SetChampion(string id, bool isActive)
        {
            var altar = World.FindItem(Facts.ReadSerial(id)) as ChampionSpawn;

            if (altar == null || altar.Deleted || altar.Map == null || altar.Map == Map.Internal)
                throw RefusalException.NotFound();

            if (isActive)
                altar.Start();
            else
                altar.Stop();

            m_Altars.Add(altar);
            CompareAltar(altar);
            return new CommandOutcome(new JsonWriter().Open().Field("ok", true).Field("id", Facts.SerialText(altar.Serial)).Close());
        }

        // ---- help pages

        private sealed class PageState
        {
            public PageEntry Entry;
            public string Content;
            public string Resolution; // set if the site closed the page
            public readonly List<string> Answers = new List<string>(); // JSON of the site's answers
        }

        private static readonly Dictionary<string, PageState> m_PageStates = new Dictionary<string, PageState>();

        /// <summary>The game has no ids of pages. A player has one page at a time, so serial and time identify it.</summary>
        private static string MakePageId(PageEntry page)
        {
            return page.Sender.Serial.Value.ToString("X8") + "-" + JsonWriter.EpochMs(page.Sent);
        }

        private static List<PageEntry> FindOpenPages()
        {
            var pages = new List<PageEntry>();

            foreach (object each in PageQueue.List)
            {
                var page = each as PageEntry;

                if (page != null && page.Sender != null && !page.Sender.Deleted)
                    pages.Add(page);
            }

            return pages;
        }

        private static bool m_HasPageBaseline;

        private static IEnumerator ComparePages()
        {
            var present = new HashSet<string>();

            foreach (PageEntry page in FindOpenPages())
            {
                PageState last;
                string id = MakePageId(page);
                present.Add(id);
                string content = ContentOf(page);

                if (!m_PageStates.TryGetValue(id, out last))
                {
                    m_PageStates[id] = last = new PageState { Entry = page, Content = content };

                    if (m_HasPageBaseline)
                        EmitPage("page.open", id, last, null);
                }
                else if (last.Content != content)
                {
                    last.Content = content;
                    EmitPage("page.update", id, last, null);
                }

                yield return null;
            }

            m_HasPageBaseline = true;

            foreach (string id in new List<string>(m_PageStates.Keys))
            {
                if (present.Contains(id))
                    continue;

                PageState last = m_PageStates[id];
                m_PageStates.Remove(id);
                EmitPage("page.close", id, last, last.Resolution ?? ResolutionOf(last.Entry));
            }
        }

        private static string ContentOf(PageEntry page)
        {
            int answers = page.PageInfo == null || page.PageInfo.Responses == null ? 0 : page.PageInfo.Responses.Count;
            return page.Type + "\n" + page.Message + "\n" + (page.Handler == null ? 0 : page.Handler.Serial.Value) + "\n" + answers;
        }

        private static string ResolutionOf(PageEntry page)
        {
            return page.PageInfo == null || page.PageInfo.Resolution == PageResolution.None ? null : page.PageInfo.Resolution.ToString();
        }

        private static void EmitPage(string kind, string id, PageState last, string resolution)
        {
            PageEntry page = last.Entry;
            var payload = new JsonWriter(512).Open().Field("id", id).Field("type", page.Type.ToString()).PersonWithAccount("sender", page.Sender).Field("message", Facts.Cut(page.Message ?? "", 4000))
                .Place("location", page.PageMap, page.PageLocation).Field("sentAt", page.Sent).Field("handler", Facts.NameOf(page.Handler)).FieldRaw("responses", WriteAnswers(last));

            if (resolution != null)
                payload.Field("resolution", resolution);

            Events.Emit(kind, Events.MakeKey(kind, id), payload.Close());
        }

        /// <summary>
        /// Writes the answers from the game and from the site. The game stores an answer with the account of a
        /// staff member, which must stay private, so a character's name replaces it.
        /// </summary>
        private static string WriteAnswers(PageState last)
        {
            var list = new JsonWriter().OpenList();
            PageInfo info = last.Entry.PageInfo;

            if (info != null && info.Responses != null)
            {
                for (int i = 0; i < info.Responses.Count && i < 50; i++)
                    list.Open().Field("by", FindCharacterName(info.Responses[i].SentBy)).Field("message", Facts.Cut(info.Responses[i].Message ?? "", 4000)).Field("at", info.Responses[i].TimeStamp).Close();
            }

            foreach (string answer in last.Answers)
                list.Raw(answer);

            return list.CloseList().ToString();
        }

        private static string FindCharacterName(string accountName)
        {
            IAccount account = accountName == null ? null : Accounts.GetAccount(accountName);

            if (account == null)
                return "Staff";

            string first = null;

            foreach (Mobile m in Facts.CharactersOf(account))
            {
                if (m.NetState != null)
                    return Facts.NameOf(m);

                first = first ?? Facts.NameOf(m);
            }

            return first ?? "Staff";
        }

        public static CommandOutcome ListPages()
        {
            var body = new JsonWriter(1024).Open().OpenList("pages");

            foreach (PageEntry page in FindOpenPages())
            {
                PageState last;
                string id = MakePageId(page);

                if (!m_PageStates.TryGetValue(id, out last))
                    last = new PageState { Entry = page };

                body.Open().Field("id", id).Field("type", page.Type.ToString()).Person("sender", page.Sender).Field("message", page.Message ?? "").Place("location", page.PageMap, page.PageLocation)
                    .Field("sentAt", page.Sent).Field("handler", Facts.NameOf(page.Handler)).FieldRaw("responses", WriteAnswers(last)).Close();
            }

            return new CommandOutcome(body.CloseList().Close());
        }

        private static PageEntry FindPage(string id)
        {
            PageEntry page = FindOpenPages().Find(each => MakePageId(each) == id);

            if (page == null)
                throw RefusalException.NotFound();

            return page;
        }

        private static PageState FindPageState(string id, PageEntry page)
        {
            PageState last;

            if (!m_PageStates.TryGetValue(id, out last))
                m_PageStates[id] = last = new PageState { Entry = page, Content = ContentOf(page) };

            return last;
        }

        /// <summary>An offline player reads the answer at the next sign-in, like an answer of the game's own staff.</summary>
        public static CommandOutcome AnswerPage(string id, string message, string author, bool close)
        {
            PageEntry page = FindPage(id);
            PageState last = FindPageState(id, page);
            string safeText = message.Replace('<', '(').Replace('>', ')');
            string sender = String.IsNullOrEmpty(author) ? "Staff" : Facts.Cut(author, 60);

            if (page.Sender.NetState != null)
                page.Sender.SendGump(new MessageSentGump(page.Sender, sender, safeText));
            else
                new ResponseEntry(page.Sender, null, safeText); // the constructor adds it to the list that the game shows at sign-in

            last.Answers.Add(new JsonWriter().Open().Text("by", sender).Field("message", Facts.Cut(message, 4000)).Field("at", Facts.Now).Close().ToString());
            EmitPage("page.update", id, last, null);
            return close ? ClosePage(id) : MakePageOutcome(id);
        }

        public static CommandOutcome ClosePage(string id)
        {
            PageEntry page = FindPage(id);
            FindPageState(id, page).Resolution = "Handled";
            PageQueue.Remove(page);
            return MakePageOutcome(id);
        }

        private static CommandOutcome MakePageOutcome(string id)
        {
            return new CommandOutcome(new JsonWriter().Open().Field("ok", true).Field("id", id).Close());
        }

        // ---- town crier

        private static Dictionary<string, bool> m_CrierEntries;

        /// <summary>The game has no ids of entries. It saves their text and expiry, so both identify an entry.</summary>
        private static string MakeCrierId(TownCrierEntry entry)
        {
            string text = String.Join("\n", entry.Lines ?? new string[0]) + "\n" + entry.ExpireTime.Ticks;

            using (SHA1 sha1 = SHA1.Create())
                return BitConverter.ToString(sha1.ComputeHash(Encoding.UTF8.GetBytes(text)), 0, 10).Replace("-", "").ToLowerInvariant();
        }

        private static List<TownCrierEntry> FindCrierEntries()
        {
            var entries = new List<TownCrierEntry>();

            foreach (TownCrierEntry entry in GlobalTownCrierEntryList.Instance.Entries ?? new List<TownCrierEntry>())
            {
                if (!entry.Expired)
                    entries.Add(entry);
            }

            return entries;
        }

        private static IEnumerator CompareCrierEntries()
        {
            var present = new Dictionary<string, bool>();

            foreach (TownCrierEntry entry in FindCrierEntries())
            {
                string id = MakeCrierId(entry);
                present[id] = true;

                if (m_CrierEntries != null && !m_CrierEntries.ContainsKey(id))
                    Events.Emit("towncrier.added", "crier:" + id, WriteCrierEntry(new JsonWriter().Open(), id, entry).Field("scope", "global").Close());
            }

            yield return null;

            foreach (string id in m_CrierEntries == null ? new List<string>() : new List<string>(m_CrierEntries.Keys))
            {
                if (!present.ContainsKey(id))
                    Events.Emit("towncrier.removed", "crier.end:" + id, new JsonWriter().Open().Field("id", id).Field("scope", "global").Close());
            }

            m_CrierEntries = present;
        }

        private static JsonWriter WriteCrierEntry(JsonWriter to, string id, TownCrierEntry entry)
        {
            to.Field("id", id).OpenList("lines");

            foreach (string line in entry.Lines ?? new string[0])
                to.Value(Facts.Cut(line ?? "", 500));

            return to.CloseList().Field("expiresAt", entry.ExpireTime);
        }

        public static CommandOutcome ListCrierEntries()
        {
            var body = new JsonWriter(512).Open().OpenList("entries");

            foreach (TownCrierEntry entry in FindCrierEntries())
                WriteCrierEntry(body.Open(), MakeCrierId(entry), entry).Close();

            return new CommandOutcome(body.CloseList().Close());
        }

        public static CommandOutcome AddCrierEntry(string[] lines, int durationSec)
        {
            TownCrierEntry entry = GlobalTownCrierEntryList.Instance.AddEntry(lines, TimeSpan.FromSeconds(durationSec));
            return new CommandOutcome(WriteCrierEntry(new JsonWriter().Open(), MakeCrierId(entry), entry).Close());
        }

        public static CommandOutcome RemoveCrierEntry(string id)
        {
            TownCrierEntry entry = FindCrierEntries().Find(each => MakeCrierId(each) == id);

            if (entry == null)
                throw RefusalException.NotFound();

            GlobalTownCrierEntryList.Instance.RemoveEntry(entry);
            return new CommandOutcome(new JsonWriter().Open().Field("id", id).Field("removed", true).Close());
        }
    }
}
