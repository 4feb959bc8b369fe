// Guildhall plugin for ServUO: points systems, guilds and the governors of cities. Core thread only.
using System;
using System.Collections;
using System.Collections.Generic;
using Server;
using Server.Engines.CityLoyalty;
using Server.Engines.Points;
using Server.Guilds;
using Server.Mobiles;

namespace Guildhall
{
    internal static partial class States
    {
        // ---- points

        private const int BoardSize = 10;
        private const int EntriesPerStep = 25;

        private static readonly Dictionary<string, ulong> m_SeenBoards = new Dictionary<string, ulong>();
        private static readonly Dictionary<string, Dictionary<int, double>> m_SeenPoints = new Dictionary<string, Dictionary<int, double>>(); // by system and serial

        private static IEnumerator PointsBoards()
        {
            Snapshot snapshot = m_Points.Begin();
            var present = new HashSet<string>();

            foreach (PointsSystem system in PointsSystem.Systems.ToArray())
            {
                string name = SystemName(system);

                if (!present.Add(name) || (system.PlayerTable.Count == 0 && !m_SeenBoards.ContainsKey(name)))
                    continue;

                var top = new List<PointsEntry>(BoardSize + 1);
                PointsEntry[] entries = system.PlayerTable.ToArray();
                Dictionary<int, double> former;

                if (!m_SeenPoints.TryGetValue(name, out former))
                    m_SeenPoints[name] = former = new Dictionary<int, double>();

                for (int i = 0; i < entries.Length; i++)
                {
                    NotePoints(name, entries[i], former);
                    Rank(entries[i], top);

                    if (i % EntriesPerStep == EntriesPerStep - 1)
                        yield return null;
                }

                CompareBoard(name, WriteBoard(name, system, entries.Length, top), snapshot);
                yield return null;
            }

            m_Points.HasBaseline = true;

            for (IEnumerator sending = snapshot == null ? null : snapshot.Send(); sending != null && sending.MoveNext(); )
                yield return null;
        }

        /// <summary>Returns the system's name in the enum PointsType, or else the name of its class.</summary>
        private static string SystemName(PointsSystem system)
        {
            string name = system.Loyalty == PointsType.None ? "" : Names<PointsType>.Of(system.Loyalty);
            return name.Length > 0 && Char.IsLetter(name[0]) ? name : Facts.TypeName(system);
        }

        private static void NotePoints(string system, PointsEntry entry, Dictionary<int, double> seen)
        {
            double former;

            if (entry.Player == null)
                return;

            seen.TryGetValue(entry.Player.Serial.Value, out former);
            seen[entry.Player.Serial.Value] = entry.Points;

            if (!m_Points.HasBaseline || entry.Points <= former || !Facts.IsShown(entry.Player))
                return;

            Events.Emit("points.award", Events.Key("points:" + system, entry.Player), new JsonWriter().Open().Field("system", system).Serial("serial", entry.Player.Serial)
                .Field("points", entry.Points).Field("delta", entry.Points - former).Close());
        }

        private static void Rank(PointsEntry entry, List<PointsEntry> top)
        {
            if (!Facts.IsShown(entry.Player) || entry.Points <= 0 || (top.Count == BoardSize && entry.Points <= top[BoardSize - 1].Points))
                return;

            int at = top.Count;

            while (at > 0 && top[at - 1].Points < entry.Points)
                at--;

            top.Insert(at, entry);

            if (top.Count > BoardSize)
                top.RemoveAt(BoardSize);
        }

        private static JsonWriter WriteBoard(string name, PointsSystem system, int players, List<PointsEntry> top)
        {
            TextDefinition title = system.Name;
            var board = new JsonWriter(1024).Open().Field("system", name).Text("nameString", title == null ? null : title.String).Field("nameNumber", title == null ? 0 : title.Number)
                .Field("maxPoints", system.MaxPoints < 9e15 ? (long?)system.MaxPoints : null).Field("players", players).Field("showOnGump", system.ShowOnLoyaltyGump).OpenList("top");

            for (int i = 0; i < top.Count; i++)
                board.Open().Field("rank", i + 1).Serial("serial", top[i].Player.Serial).Field("name", Facts.NameOf(top[i].Player)).Field("points", top[i].Points).Close();

            return board.CloseList().Close();
        }

        private static void CompareBoard(string name, JsonWriter row, Snapshot snapshot)
        {
            ulong known, hash = row.Hash();
            bool isNews = !m_SeenBoards.TryGetValue(name, out known) || known != hash;
            m_SeenBoards[name] = hash;

            if (snapshot != null)
                snapshot.Add(row);
            else if (isNews && m_Points.HasBaseline)
                Events.Emit("points.board", null, row);
        }

        // ---- guilds

        private sealed class SeenGuild
        {
            public ulong Row;
            public string Name;
            public string Abbreviation;
            public GuildType Type;
            public Dictionary<int, string> Members = new Dictionary<int, string>(); // names by serial
        }

        private static readonly Dictionary<int, SeenGuild> m_SeenGuilds = new Dictionary<int, SeenGuild>();

        private static IEnumerator GuildsPass()
        {
            Snapshot snapshot = m_Guilds.Begin();
            var present = new HashSet<int>();

            foreach (BaseGuild each in new List<BaseGuild>(BaseGuild.List.Values))
            {
                var guild = each as Guild;

                if (guild == null || guild.Disbanded)
                    continue;

                present.Add(guild.Id);
                CompareGuild(guild, snapshot);
                yield return null;
            }

            foreach (int id in new List<int>(m_SeenGuilds.Keys))
            {
                if (!present.Contains(id))
                    RemoveGuild(id);
            }

            CompareWars();
            m_Guilds.HasBaseline = true;

            for (IEnumerator sending = snapshot == null ? null : snapshot.Send(); sending != null && sending.MoveNext(); )
                yield return null;
        }

        private static void CompareGuild(Guild guild, Snapshot snapshot)
        {
            SeenGuild seen = FindSeenGuild(guild);
            NoteMembers(guild, seen);
            seen.Name = guild.Name;
            seen.Abbreviation = guild.Abbreviation;
            seen.Type = guild.Type;

            JsonWriter row = new JsonWriter(384).Open().GuildFields(guild.Id, seen.Name, seen.Abbreviation, seen.Type).PersonWithAccount("leader", guild.Leader).Field("memberCount", guild.Members.Count).Close();
            ulong hash = row.Hash();

            if (snapshot != null)
                snapshot.Add(row);
            else if (m_Guilds.HasBaseline && hash != seen.Row)
                Events.Emit("guild.upsert", null, row);

            seen.Row = hash;
        }

        /// <summary>Returns the last state of a guild; reports a guild without one as new.</summary>
        private static SeenGuild FindSeenGuild(Guild guild)
        {
            SeenGuild seen;

            if (m_SeenGuilds.TryGetValue(guild.Id, out seen))
                return seen;

            m_SeenGuilds[guild.Id] = seen = new SeenGuild { Name = guild.Name, Abbreviation = guild.Abbreviation, Type = guild.Type };

            if (m_Guilds.HasBaseline)
                Events.Emit("guild.created", Events.Key("guild.created", guild.Id.ToString()), new JsonWriter().Open().GuildFields(guild.Id, guild.Name, guild.Abbreviation, guild.Type).PersonWithAccount("leader", guild.Leader).Close());

            return seen;
        }

        private static JsonWriter GuildFields(this JsonWriter to, int id, string name, string abbreviation, GuildType type)
        {
            return to.Field("guildId", id).Text("name", name).Text("abbr", abbreviation).Field("type", Names<GuildType>.Of(type));
        }

        private static void NoteMembers(Guild guild, SeenGuild seen)
        {
            var members = new Dictionary<int, string>();

            foreach (Mobile m in guild.Members)
                members[m.Serial.Value] = m.Name;

            foreach (var former in seen.Members)
            {
                if (!members.ContainsKey(former.Key))
                    EmitMembership("guild.left", guild.Id, seen.Abbreviation, former.Key, former.Value);
            }

            seen.Members = members;
        }

        private static void EmitMembership(string kind, int guildId, string abbreviation, int serial, string name)
        {
            string text = Facts.SerialText(serial);
            Events.Emit(kind, Events.Key(kind + ":" + guildId, text), new JsonWriter().Open().Field("guildId", guildId).Text("abbr", abbreviation).Field("serial", text).Text("name", name).Close());
        }

        /// <summary>Reports a new member. The game raises no other event about guilds.</summary>
        public static void OnJoinGuild(Guild guild, Mobile m)
        {
            if (guild == null || m == null || guild.Disbanded || !m_Guilds.HasBaseline)
                return;

            SeenGuild seen = FindSeenGuild(guild);
            seen.Members[m.Serial.Value] = m.Name;
            EmitMembership("guild.joined", guild.Id, guild.Abbreviation, m.Serial.Value, m.Name);
        }

        private static void RemoveGuild(int id)
        {
            SeenGuild seen = m_SeenGuilds[id];
            m_SeenGuilds.Remove(id);

            if (m_Guilds.HasBaseline)
                Events.Emit("guild.disbanded", Events.Key("guild.disbanded", id.ToString()), new JsonWriter().Open().GuildFields(id, seen.Name, seen.Abbreviation, seen.Type).Close());

            Events.Emit("guild.removed", Events.Key("guild.removed", id.ToString()), new JsonWriter().Open().Field("guildId", id).Close());
        }

        // ---- wars of guilds

        private sealed class SeenWar
        {
            public Guild Guild;
            public Guild Opponent;
            public string Status;
        }

        private static Dictionary<string, SeenWar> m_Wars = new Dictionary<string, SeenWar>();

        /// <summary>Reports each war once, for the guild with the lower id, because both guilds store it.</summary>
        private static void CompareWars()
        {
            var wars = new Dictionary<string, SeenWar>();

            foreach (BaseGuild each in BaseGuild.List.Values)
            {
                var guild = each as Guild;

                if (guild == null || guild.Disbanded)
                    continue;

                foreach (WarDeclaration war in guild.AcceptedWars ?? new List<WarDeclaration>())
                    AddWar(wars, guild, war.Opponent, war.Status == WarStatus.Pending ? null : war.Status.ToString());

                foreach (Guild enemy in guild.Enemies ?? new List<Guild>())
                    AddWar(wars, guild, enemy, "InProgress");
            }

            foreach (var entry in wars)
            {
                SeenWar former;
                m_Wars.TryGetValue(entry.Key, out former);

                if (m_Guilds.HasBaseline && (former == null || former.Status != entry.Value.Status))
                    EmitWar(entry.Value, entry.Value.Status);
            }

            foreach (var entry in m_Wars)
            {
                if (m_Guilds.HasBaseline && !wars.ContainsKey(entry.Key) && entry.Value.Status == "InProgress")
                    EmitWar(entry.Value, "Ended");
            }

            m_Wars = wars;
        }

        private static void AddWar(Dictionary<string, SeenWar> wars, Guild guild, Guild opponent, string status)
        {
            if (status != null && opponent != null && guild.Id < opponent.Id)
                wars[guild.Id + ":" + opponent.Id] = new SeenWar { Guild = guild, Opponent = opponent, Status = status };
        }

        private static void EmitWar(SeenWar war, string status)
        {
            Guild guild = war.Guild, opponent = war.Opponent;
            Events.Emit("guild.war", Events.Key("guild.war:" + guild.Id, opponent.Id.ToString()), new JsonWriter().Open().GuildFields(guild.Id, guild.Name, guild.Abbreviation, guild.Type)
                .Open("opponent").GuildFields(opponent.Id, opponent.Name, opponent.Abbreviation, opponent.Type).Close().Field("status", status).Close());
        }

        // ---- governors

        private sealed class SeenCity
        {
            public ulong Row;
            public ulong Result;
            public ulong Election;
            public string Phase;
        }

        private static readonly Dictionary<City, SeenCity> m_Cities = new Dictionary<City, SeenCity>();

        private static IEnumerator Governors()
        {
            Snapshot snapshot = m_Governors.Begin();

            if (CityLoyaltySystem.Enabled && CityLoyaltySystem.Cities != null)
            {
                foreach (CityLoyaltySystem city in CityLoyaltySystem.Cities.ToArray())
                {
                    CompareCity(city, snapshot);
                    yield return null;
                }
            }

            m_Governors.HasBaseline = true;

            for (IEnumerator sending = snapshot == null ? null : snapshot.Send(); sending != null && sending.MoveNext(); )
                yield return null;
        }

        private static void CompareCity(CityLoyaltySystem city, Snapshot snapshot)
        {
            SeenCity seen;

            if (!m_Cities.TryGetValue(city.City, out seen))
                m_Cities[city.City] = seen = new SeenCity();

            string name = city.City.ToString();
            JsonWriter row = new JsonWriter().Open().Field("city", name).PersonWithAccount("governor", city.Governor).Close();
            JsonWriter result = new JsonWriter().Open().Field("city", name).Person("governor", city.Governor).Person("elect", city.GovernorElect).Field("pending", city.PendingGovernor).Close();
            ulong rowHash = row.Hash(), resultHash = result.Hash();

            if (m_Governors.HasBaseline && resultHash != seen.Result)
                Events.Emit("governor.result", Events.Key("governor", name), result);

            if (snapshot != null)
                snapshot.Add(row);
            else if (m_Governors.HasBaseline && rowHash != seen.Row)
                Events.Emit("governor.upsert", null, row);

            seen.Row = rowHash;
            seen.Result = resultHash;
            CompareElection(city, name, seen);
        }

        private static void CompareElection(CityLoyaltySystem city, string name, SeenCity seen)
        {
            DateTime until = DateTime.MinValue;
            string phase = null;

            if (city.Election == null)
                return;

            if (city.Election.CanNominate(out until))
                phase = "nomination";
            else if (city.Election.CanVote(out until))
                phase = "voting";
            else if (seen.Phase != null)
                phase = "ended";

            // Report changes of the phase and of the candidates. A new vote alone is not reported.
            ulong hash = Candidates(city.Election, false).Hash();
            bool isNews = phase != null && (phase != seen.Phase || hash != seen.Election) && m_Governors.HasBaseline;

            if (isNews)
            {
                var payload = new JsonWriter().Open().Field("city", name).Field("phase", phase).FieldRaw("candidates", Candidates(city.Election, true));

                // The game stores these times in local time.
                payload = phase == "ended" ? payload.Null("until") : payload.Field("until", DateTime.SpecifyKind(until, DateTimeKind.Local));
                Events.Emit("governor.election", Events.Key("election:" + phase, name), payload.Close());
            }

            seen.Phase = phase == "ended" ? null : phase;
            seen.Election = hash;
        }

        private static JsonWriter Candidates(CityElection election, bool withVotes)
        {
            var list = new JsonWriter().OpenList();

            foreach (BallotEntry entry in election.Candidates ?? new List<BallotEntry>())
            {
                if (entry.Player == null || entry.Player.Serial.Value <= 0)
                    continue;

                list.Open().Serial("serial", entry.Player.Serial).Field("name", Facts.NameOf(entry.Player));

                if (withVotes)
                    list.Field("votes", entry.Votes == null ? 0 : entry.Votes.Count);

                list.Close();
            }

            return list.CloseList();
        }
    }
}
