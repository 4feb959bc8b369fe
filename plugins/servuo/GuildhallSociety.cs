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

        private static readonly Dictionary<string, ulong> m_BoardHashes = new Dictionary<string, ulong>();
        private static readonly Dictionary<string, Dictionary<int, double>> m_LastPoints = new Dictionary<string, Dictionary<int, double>>(); // by system and serial

        private static IEnumerator CompareBoards()
        {
            Snapshot snapshot = m_Points.BeginSnapshot();
            var present = new HashSet<string>();

            foreach (PointsSystem system in PointsSystem.Systems.ToArray())
            {
                string name = FindSystemName(system);

                if (!present.Add(name) || (system.PlayerTable.Count == 0 && !m_BoardHashes.ContainsKey(name)))
                    continue;

                var top = new List<PointsEntry>(BoardSize + 1);
                PointsEntry[] entries = system.PlayerTable.ToArray();
                Dictionary<int, double> lastPoints;

                if (!m_LastPoints.TryGetValue(name, out lastPoints))
                    m_LastPoints[name] = lastPoints = new Dictionary<int, double>();

                for (int i = 0; i < entries.Length; i++)
                {
                    ComparePoints(name, entries[i], lastPoints);
                    InsertIntoTop(entries[i], top);

                    if (i % EntriesPerStep == EntriesPerStep - 1)
                        yield return null;
                }

                CompareBoard(name, WriteBoard(name, system, entries.Length, top), snapshot);
                yield return null;
            }

            m_Points.HasBaseline = true;

            for (IEnumerator steps = snapshot == null ? null : snapshot.Send(); steps != null && steps.MoveNext(); )
                yield return null;
        }

        /// <summary>Returns the system's name in the enum PointsType, or else the name of its class.</summary>
        private static string FindSystemName(PointsSystem system)
        {
            string name = system.Loyalty == PointsType.None ? "" : EnumNames<PointsType>.Get(system.Loyalty);
            return name.Length > 0 && Char.IsLetter(name[0]) ? name : Facts.TypeName(system);
        }

        private static void ComparePoints(string system, PointsEntry entry, Dictionary<int, double> lastPoints)
        {
            double former;

            if (entry.Player == null)
                return;

            lastPoints.TryGetValue(entry.Player.Serial.Value, out former);
            lastPoints[entry.Player.Serial.Value] = entry.Points;

            if (!m_Points.HasBaseline || entry.Points <= former || !Facts.IsPublicPlayer(entry.Player))
                return;

            Events.Emit("points.award", Events.MakeKey("points:" + system, entry.Player), new JsonWriter().Open().Field("system", system).Serial("serial", entry.Player.Serial)
                .Field("points", entry.Points).Field("delta", entry.Points - former).Close());
        }

        private static void InsertIntoTop(PointsEntry entry, List<PointsEntry> top)
        {
            if (!Facts.IsPublicPlayer(entry.Player) || entry.Points <= 0 || (top.Count == BoardSize && entry.Points <= top[BoardSize - 1].Points))
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
            ulong lastHash, hash = row.Hash();
            bool isChanged = !m_BoardHashes.TryGetValue(name, out lastHash) || lastHash != hash;
            m_BoardHashes[name] = hash;

            if (snapshot != null)
                snapshot.Add(row);
            else if (isChanged && m_Points.HasBaseline)
                Events.Emit("points.board", null, row);
        }

        // ---- guilds

        private sealed class GuildState
        {
            public ulong RowHash;
            public string Name;
            public string Abbreviation;
            public GuildType Type;
            public Dictionary<int, string> Members = new Dictionary<int, string>(); // names by serial
        }

        private static readonly Dictionary<int, GuildState> m_GuildStates = new Dictionary<int, GuildState>();

        private static IEnumerator CompareGuilds()
        {
            Snapshot snapshot = m_Guilds.BeginSnapshot();
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

            foreach (int id in new List<int>(m_GuildStates.Keys))
            {
                if (!present.Contains(id))
                    RemoveGuild(id);
            }

            CompareWars();
            m_Guilds.HasBaseline = true;

            for (IEnumerator steps = snapshot == null ? null : snapshot.Send(); steps != null && steps.MoveNext(); )
                yield return null;
        }

        private static void CompareGuild(Guild guild, Snapshot snapshot)
        {
            GuildState last = FindGuildState(guild);
            CompareMembers(guild, last);
            last.Name = guild.Name;
            last.Abbreviation = guild.Abbreviation;
            last.Type = guild.Type;

            JsonWriter row = new JsonWriter(384).Open().GuildFields(guild.Id, last.Name, last.Abbreviation, last.Type).PersonWithAccount("leader", guild.Leader).Field("memberCount", guild.Members.Count).Close();
            ulong hash = row.Hash();

            if (snapshot != null)
                snapshot.Add(row);
            else if (m_Guilds.HasBaseline && hash != last.RowHash)
                Events.Emit("guild.upsert", null, row);

            last.RowHash = hash;
        }

        /// <summary>Returns the last state of a guild; reports a guild without one as new.</summary>
        private static GuildState FindGuildState(Guild guild)
        {
            GuildState last;

            if (m_GuildStates.TryGetValue(guild.Id, out last))
                return last;

            m_GuildStates[guild.Id] = last = new GuildState { Name = guild.Name, Abbreviation = guild.Abbreviation, Type = guild.Type };

            if (m_Guilds.HasBaseline)
                Events.Emit("guild.created", Events.MakeKey("guild.created", guild.Id.ToString()), new JsonWriter().Open().GuildFields(guild.Id, guild.Name, guild.Abbreviation, guild.Type).PersonWithAccount("leader", guild.Leader).Close());

            return last;
        }

        private static JsonWriter GuildFields(this JsonWriter to, int id, string name, string abbreviation, GuildType type)
        {
            return to.Field("guildId", id).Text("name", name).Text("abbr", abbreviation).Field("type", EnumNames<GuildType>.Get(type));
        }

        private static void CompareMembers(Guild guild, GuildState last)
        {
            var members = new Dictionary<int, string>();

            foreach (Mobile m in guild.Members)
                members[m.Serial.Value] = m.Name;

            foreach (var former in last.Members)
            {
                if (!members.ContainsKey(former.Key))
                    EmitMembership("guild.left", guild.Id, last.Abbreviation, former.Key, former.Value);
            }

            last.Members = members;
        }

        private static void EmitMembership(string kind, int guildId, string abbreviation, int serial, string name)
        {
            string text = Facts.SerialText(serial);
            Events.Emit(kind, Events.MakeKey(kind + ":" + guildId, text), new JsonWriter().Open().Field("guildId", guildId).Text("abbr", abbreviation).Field("serial", text).Text("name", name).Close());
        }

        /// <summary>Reports a new member. The game raises no other event about guilds.</summary>
        public static void OnJoinGuild(Guild guild, Mobile m)
        {
            if (guild == null || m == null || guild.Disbanded || !m_Guilds.HasBaseline)
                return;

            GuildState last = FindGuildState(guild);
            last.Members[m.Serial.Value] = m.Name;
            EmitMembership("guild.joined", guild.Id, guild.Abbreviation, m.Serial.Value, m.Name);
        }

        private static void RemoveGuild(int id)
        {
            GuildState last = m_GuildStates[id];
            m_GuildStates.Remove(id);

            if (m_Guilds.HasBaseline)
                Events.Emit("guild.disbanded", Events.MakeKey("guild.disbanded", id.ToString()), new JsonWriter().Open().GuildFields(id, last.Name, last.Abbreviation, last.Type).Close());

            Events.Emit("guild.removed", Events.MakeKey("guild.removed", id.ToString()), new JsonWriter().Open().Field("guildId", id).Close());
        }

        // ---- wars of guilds

        private sealed class WarState
        {
            public Guild Guild;
            public Guild Opponent;
            public string Status;
        }

        private static Dictionary<string, WarState> m_Wars = new Dictionary<string, WarState>();

        /// <summary>Reports each war once, for the guild with the lower id, because both guilds store it.</summary>
        private static void CompareWars()
        {
            var wars = new Dictionary<string, WarState>();

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
                WarState former;
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

        private static void AddWar(Dictionary<string, WarState> wars, Guild guild, Guild opponent, string status)
        {
            if (status != null && opponent != null && guild.Id < opponent.Id)
                wars[guild.Id + ":" + opponent.Id] = new WarState { Guild = guild, Opponent = opponent, Status = status };
        }

        private static void EmitWar(WarState war, string status)
        {
            Guild guild = war.Guild, opponent = war.Opponent;
            Events.Emit("guild.war", Events.MakeKey("guild.war:" + guild.Id, opponent.Id.ToString()), new JsonWriter().Open().GuildFields(guild.Id, guild.Name, guild.Abbreviation, guild.Type)
                .Open("opponent").GuildFields(opponent.Id, opponent.Name, opponent.Abbreviation, opponent.Type).Close().Field("status", status).Close());
        }

        // ---- governors

        private sealed class CityState
        {
            public ulong RowHash;
            public ulong ResultHash;
            public ulong CandidatesHash;
            public string Phase;
        }

        private static readonly Dictionary<City, CityState> m_CityStates = new Dictionary<City, CityState>();

        private static IEnumerator CompareCities()
        {
            Snapshot snapshot = m_Governors.BeginSnapshot();

            if (CityLoyaltySystem.Enabled && CityLoyaltySystem.Cities != null)
            {
                foreach (CityLoyaltySystem city in CityLoyaltySystem.Cities.ToArray())
                {
                    CompareCity(city, snapshot);
                    yield return null;
                }
            }

            m_Governors.HasBaseline = true;

            for (IEnumerator steps = snapshot == null ? null : snapshot.Send(); steps != null && steps.MoveNext(); )
                yield return null;
        }

        private static void CompareCity(CityLoyaltySystem city, Snapshot snapshot)
        {
            CityState last;

            if (!m_CityStates.TryGetValue(city.City, out last))
                m_CityStates[city.City] = last = new CityState();

            string name = city.City.ToString();
            JsonWriter row = new JsonWriter().Open().Field("city", name).PersonWithAccount("governor", city.Governor).Close();
            JsonWriter result = new JsonWriter().Open().Field("city", name).Person("governor", city.Governor).Person("elect", city.GovernorElect).Field("pending", city.PendingGovernor).Close();
            ulong rowHash = row.Hash(), resultHash = result.Hash();

            if (m_Governors.HasBaseline && resultHash != last.ResultHash)
                Events.Emit("governor.result", Events.MakeKey("governor", name), result);

            if (snapshot != null)
                snapshot.Add(row);
            else if (m_Governors.HasBaseline && rowHash != last.RowHash)
                Events.Emit("governor.upsert", null, row);

            last.RowHash = rowHash;
            last.ResultHash = resultHash;
            CompareElection(city, name, last);
        }

        private static void CompareElection(CityLoyaltySystem city, string name, CityState last)
        {
            DateTime until = DateTime.MinValue;
            string phase = null;

            if (city.Election == null)
                return;

            if (city.Election.CanNominate(out until))
                phase = "nomination";
            else if (city.Election.CanVote(out until))
                phase = "voting";
            else if (last.Phase != null)
                phase = "ended";

            // Report changes of the phase and of the candidates. A new vote alone is not reported.
            ulong hash = WriteCandidates(city.Election, false).Hash();
            bool isChanged = phase != null && (phase != last.Phase || hash != last.CandidatesHash) && m_Governors.HasBaseline;

            if (isChanged)
            {
                var payload = new JsonWriter().Open().Field("city", name).Field("phase", phase).FieldRaw("candidates", WriteCandidates(city.Election, true));

                // The game stores these times in local time.
                payload = phase == "ended" ? payload.Null("until") : payload.Field("until", DateTime.SpecifyKind(until, DateTimeKind.Local));
                Events.Emit("governor.election", Events.MakeKey("election:" + phase, name), payload.Close());
            }

            last.Phase = phase == "ended" ? null : phase;
            last.CandidatesHash = hash;
        }

        private static JsonWriter WriteCandidates(CityElection election, bool withVotes)
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
