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

        private sealed class SeenAltar
        {
            public DateTime Since;
            public int Level;
            public int Kills;
            public int WhiteSkulls;
            public Mobile Boss;
            public bool IsBossDead;
            public string Damagers; // JSON list of the players who did the most damage to the boss
            public DateTime ToldAt;
        }

        private const int MostDamagers = 10;
        private static readonly TimeSpan ProgressEvery = TimeSpan.FromSeconds(15);
        private static readonly HashSet<ChampionSpawn> m_Altars = new HashSet<ChampionSpawn>();
        private static readonly Dictionary<ChampionSpawn, SeenAltar> m_ActiveAltars = new Dictionary<ChampionSpawn, SeenAltar>();
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

        public static void NoteAltar(ChampionSpawn altar)
        {
            m_Altars.Add(altar);
        }

        /// <summary>Stores the damage to a boss at its death, because the game deletes this data a moment later.</summary>
        public static void NoteBossDeath(BaseCreature boss)
        {
            foreach (SeenAltar seen in m_ActiveAltars.Values)
            {
                if (seen.Boss != boss)
                    continue;

                seen.IsBossDead = true;
                seen.Damagers = DamagersOf(boss);
            }
        }

        private static string DamagersOf(BaseCreature boss)
        {
            var sums = new Dictionary<Mobile, long>();

            foreach (DamageEntry entry in boss.DamageEntries)
            {
                Mobile m = Facts.Responsible(entry.Damager);
                long sum;

                if (!Facts.IsShown(m))
                    continue;

                sums.TryGetValue(m, out sum);
                sums[m] = sum + Math.Max(0, entry.DamageGiven);
            }

            var order = new List<KeyValuePair<Mobile, long>>(sums);
            order.Sort((a, b) => b.Value.CompareTo(a.Value));
            var list = new JsonWriter().OpenList();

            for (int i = 0; i < order.Count && i < MostDamagers; i++)
                list.Open().Serial("serial", order[i].Key.Serial).Field("name", Facts.NameOf(order[i].Key)).Field("damage", Math.Min(Int32.MaxValue, order[i].Value)).Close();

            return list.CloseList().ToString();
        }

        private static IEnumerator Champions()
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
            SeenAltar seen;
            bool wasActive = m_ActiveAltars.TryGetValue(altar, out seen);
            bool isActive = altar.Active && !altar.Deleted && altar.Map != null && altar.Map != Map.Internal;

            if (isActive && !wasActive)
                BeginAltar(altar);
            else if (wasActive && !isActive)
                EndAltar(altar, seen);
            else if (isActive)
                FollowAltar(altar, seen);
        }

        private static void BeginAltar(ChampionSpawn altar)
        {
            m_ActiveAltars[altar] = new SeenAltar { Since = DateTime.UtcNow, Level = altar.Level, Kills = altar.Kills, WhiteSkulls = WhiteSkulls(altar), Boss = altar.Champion };

            if (m_HasChampionBaseline)
                EmitChampion("champ.start", altar, WriteAltar(altar).Field("level", altar.Level).Field("startLevel", altar.StartLevel));
        }

        /// <summary>Reports no progress while a boss lives: the game resets level and kills when it spawns.</summary>
        private static void FollowAltar(ChampionSpawn altar, SeenAltar seen)
        {
            Mobile boss = altar.Champion;

            if (boss != null && boss != seen.Boss)
            {
                seen.Boss = boss;
                seen.IsBossDead = false;
                EmitChampion("champ.boss", altar, WriteAltar(altar).Field("champion", boss.GetType().Name).Serial("serial", boss.Serial));
            }

            if (boss != null || seen.IsBossDead)
                return;

            int skulls = WhiteSkulls(altar);
            bool isStep = seen.Level != altar.Level || seen.WhiteSkulls != skulls;

            if (!isStep && (seen.Kills == altar.Kills || DateTime.UtcNow - seen.ToldAt < ProgressEvery))
                return;

            seen.Level = altar.Level;
            seen.Kills = altar.Kills;
            seen.WhiteSkulls = skulls;
            seen.ToldAt = DateTime.UtcNow;
            EmitChampion("champ.progress", altar, WriteAltar(altar).Field("level", altar.Level).Field("rank", altar.Rank).Field("kills", Math.Max(0, altar.Kills)).Field("maxKills", Math.Max(0, altar.MaxKills)).Field("whiteSkulls", skulls));
        }

        private static int WhiteSkulls(ChampionSpawn altar)
        {
            return altar.MaxKills > 0 ? Math.Max(0, Math.Min(4, 100 * altar.Kills / altar.MaxKills / 20)) : 0;
        }

        private static void EndAltar(ChampionSpawn altar, SeenAltar seen)
        {
            m_ActiveAltars.Remove(altar);
            bool isDefeated = seen.IsBossDead || (seen.Boss != null && (seen.Boss.Deleted || !seen.Boss.Alive) && altar.Champion == null && altar.RestartTime > DateTime.UtcNow);
            var payload = WriteAltar(altar).Field("outcome", isDefeated ? "defeated" : "stopped").Field("durationSec", (long)(DateTime.UtcNow - seen.Since).TotalSeconds);

            if (seen.Damagers != null)
                payload.FieldRaw("damagers", seen.Damagers);

            EmitChampion("champ.end", altar, altar.RestartTime > DateTime.UtcNow ? payload.Field("restartAt", altar.RestartTime) : payload.Null("restartAt"));
        }

        private static JsonWriter WriteAltar(ChampionSpawn altar)
        {
            return new JsonWriter(384).Open().Serial("id", altar.Serial).Text("name", altar.SpawnName).Field("type", altar.Type.ToString()).Text("group", altar.GroupName).Text("map", altar.Map == null ? null : altar.Map.Name).Place("location", altar);
        }

        private static void EmitChampion(string kind, ChampionSpawn altar, JsonWriter payload)
        {
            Events.Emit(kind, Events.Key(kind, altar), payload.Close());
        }

        public static Outcome SetChampion(string id, bool isActive)
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
            return new Outcome(new JsonWriter().Open().Field("ok", true).Field("id", Facts.SerialText(altar.Serial)).Close());
        }

        // ---- help pages

        private sealed class SeenPage
        {
            public PageEntry Entry;
            public string State;
            public string Resolution; // set if the site closed the page
            public readonly List<string> Answers = new List<string>(); // JSON of the site's answers
        }

        private static readonly Dictionary<string, SeenPage> m_Pages = new Dictionary<string, SeenPage>();

        /// <summary>The game has no ids of pages. A player has one page at a time, so serial and time identify it.</summary>
        private static string PageId(PageEntry page)
        {
            return page.Sender.Serial.Value.ToString("X8") + "-" + JsonWriter.EpochMs(page.Sent);
        }

        private static List<PageEntry> OpenPages()
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

        private static IEnumerator Pages()
        {
            var present = new HashSet<string>();

            foreach (PageEntry page in OpenPages())
            {
                SeenPage seen;
                string id = PageId(page);
                present.Add(id);
                string state = StateOf(page);

                if (!m_Pages.TryGetValue(id, out seen))
                {
                    m_Pages[id] = seen = new SeenPage { Entry = page, State = state };

                    if (m_HasPageBaseline)
                        EmitPage("page.open", id, seen, null);
                }
                else if (seen.State != state)
                {
                    seen.State = state;
                    EmitPage("page.update", id, seen, null);
                }

                yield return null;
            }

            m_HasPageBaseline = true;

            foreach (string id in new List<string>(m_Pages.Keys))
            {
                if (present.Contains(id))
                    continue;

                SeenPage seen = m_Pages[id];
                m_Pages.Remove(id);
                EmitPage("page.close", id, seen, seen.Resolution ?? ResolutionOf(seen.Entry));
            }
        }

        private static string StateOf(PageEntry page)
        {
            int answers = page.PageInfo == null || page.PageInfo.Responses == null ? 0 : page.PageInfo.Responses.Count;
            return page.Type + "\n" + page.Message + "\n" + (page.Handler == null ? 0 : page.Handler.Serial.Value) + "\n" + answers;
        }

        private static string ResolutionOf(PageEntry page)
        {
            return page.PageInfo == null || page.PageInfo.Resolution == PageResolution.None ? null : page.PageInfo.Resolution.ToString();
        }

        private static void EmitPage(string kind, string id, SeenPage seen, string resolution)
        {
            PageEntry page = seen.Entry;
            var payload = new JsonWriter(512).Open().Field("id", id).Field("type", page.Type.ToString()).PersonWithAccount("sender", page.Sender).Field("message", Facts.Cut(page.Message ?? "", 4000))
                .Place("location", page.PageMap, page.PageLocation).Field("sentAt", page.Sent).Field("handler", Facts.NameOf(page.Handler)).FieldRaw("responses", AnswersOf(seen));

            if (resolution != null)
                payload.Field("resolution", resolution);

            Events.Emit(kind, Events.Key(kind, id), payload.Close());
        }

        /// <summary>
        /// Writes the answers from the game and from the site. The game stores an answer with the account of a
        /// staff member, which must stay private, so a character's name replaces it.
        /// </summary>
        private static string AnswersOf(SeenPage seen)
        {
            var list = new JsonWriter().OpenList();
            PageInfo info = seen.Entry.PageInfo;

            if (info != null && info.Responses != null)
            {
                for (int i = 0; i < info.Responses.Count && i < 50; i++)
                    list.Open().Field("by", CharacterName(info.Responses[i].SentBy)).Field("message", Facts.Cut(info.Responses[i].Message ?? "", 4000)).Field("at", info.Responses[i].TimeStamp).Close();
            }

            foreach (string answer in seen.Answers)
                list.Raw(answer);

            return list.CloseList().ToString();
        }

        private static string CharacterName(string accountName)
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

        public static Outcome ListPages()
        {
            var body = new JsonWriter(1024).Open().OpenList("pages");

            foreach (PageEntry page in OpenPages())
            {
                SeenPage seen;
                string id = PageId(page);

                if (!m_Pages.TryGetValue(id, out seen))
                    seen = new SeenPage { Entry = page };

                body.Open().Field("id", id).Field("type", page.Type.ToString()).Person("sender", page.Sender).Field("message", page.Message ?? "").Place("location", page.PageMap, page.PageLocation)
                    .Field("sentAt", page.Sent).Field("handler", Facts.NameOf(page.Handler)).FieldRaw("responses", AnswersOf(seen)).Close();
            }

            return new Outcome(body.CloseList().Close());
        }

        private static PageEntry FindPage(string id)
        {
            PageEntry page = OpenPages().Find(one => PageId(one) == id);

            if (page == null)
                throw RefusalException.NotFound();

            return page;
        }

        private static SeenPage FindSeenPage(string id, PageEntry page)
        {
            SeenPage seen;

            if (!m_Pages.TryGetValue(id, out seen))
                m_Pages[id] = seen = new SeenPage { Entry = page, State = StateOf(page) };

            return seen;
        }

        /// <summary>An offline player reads the answer at the next sign-in, like an answer of the game's own staff.</summary>
        public static Outcome AnswerPage(string id, string message, string by, bool close)
        {
            PageEntry page = FindPage(id);
            SeenPage seen = FindSeenPage(id, page);
            string safe = message.Replace('<', '(').Replace('>', ')');
            string sender = String.IsNullOrEmpty(by) ? "Staff" : Facts.Cut(by, 60);

            if (page.Sender.NetState != null)
                page.Sender.SendGump(new MessageSentGump(page.Sender, sender, safe));
            else
                new ResponseEntry(page.Sender, null, safe); // the constructor adds it to the list that the game shows at sign-in

            seen.Answers.Add(new JsonWriter().Open().Text("by", sender).Field("message", Facts.Cut(message, 4000)).Field("at", Facts.Now).Close().ToString());
            EmitPage("page.update", id, seen, null);
            return close ? ClosePage(id) : PageDone(id);
        }

        public static Outcome ClosePage(string id)
        {
            PageEntry page = FindPage(id);
            FindSeenPage(id, page).Resolution = "Handled";
            PageQueue.Remove(page);
            return PageDone(id);
        }

        private static Outcome PageDone(string id)
        {
            return new Outcome(new JsonWriter().Open().Field("ok", true).Field("id", id).Close());
        }

        // ---- town crier

        private static Dictionary<string, bool> m_CrierEntries;

        /// <summary>The game has no ids of entries. It saves their text and expiry, so both identify an entry.</summary>
        private static string CrierId(TownCrierEntry entry)
        {
            string text = String.Join("\n", entry.Lines ?? new string[0]) + "\n" + entry.ExpireTime.Ticks;

            using (SHA1 sha1 = SHA1.Create())
                return BitConverter.ToString(sha1.ComputeHash(Encoding.UTF8.GetBytes(text)), 0, 10).Replace("-", "").ToLowerInvariant();
        }

        private static List<TownCrierEntry> CrierEntries()
        {
            var entries = new List<TownCrierEntry>();

            foreach (TownCrierEntry entry in GlobalTownCrierEntryList.Instance.Entries ?? new List<TownCrierEntry>())
            {
                if (!entry.Expired)
                    entries.Add(entry);
            }

            return entries;
        }

        private static IEnumerator TownCrier()
        {
            var present = new Dictionary<string, bool>();

            foreach (TownCrierEntry entry in CrierEntries())
            {
                string id = CrierId(entry);
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

        public static Outcome ListCrierEntries()
        {
            var body = new JsonWriter(512).Open().OpenList("entries");

            foreach (TownCrierEntry entry in CrierEntries())
                WriteCrierEntry(body.Open(), CrierId(entry), entry).Close();

            return new Outcome(body.CloseList().Close());
        }

        public static Outcome AddCrierEntry(string[] lines, int durationSec)
        {
            TownCrierEntry entry = GlobalTownCrierEntryList.Instance.AddEntry(lines, TimeSpan.FromSeconds(durationSec));
            return new Outcome(WriteCrierEntry(new JsonWriter().Open(), CrierId(entry), entry).Close());
        }

        public static Outcome RemoveCrierEntry(string id)
        {
            TownCrierEntry entry = CrierEntries().Find(one => CrierId(one) == id);

            if (entry == null)
                throw RefusalException.NotFound();

            GlobalTownCrierEntryList.Instance.RemoveEntry(entry);
            return new Outcome(new JsonWriter().Open().Field("id", id).Field("removed", true).Close());
        }
    }
}
