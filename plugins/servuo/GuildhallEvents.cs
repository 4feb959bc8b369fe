// Guildhall plugin for ServUO: handlers of the game's events. Core thread only; each handler writes one
// short JSON text and returns.
using System;
using System.Collections.Generic;
using System.Reflection;
using Server;
using Server.Accounting;
using Server.Commands;
using Server.Engines.CannedEvil;
using Server.Engines.Chat;
using Server.Guilds;
using Server.Gumps;
using Server.Items;
using Server.Misc;
using Server.Mobiles;
using Server.Network;
using Timer = Server.Timer;

namespace Guildhall
{
    internal static class Events
    {

        public static void Emit(string kind, string key, JsonWriter payload)
        {
            EventBuffer.Add(kind, Facts.Now, key, payload);
        }

        private static long m_KeyCount;

        /// <summary>
        /// Returns a key that no other event has. It contains the time, because after a crash the world returns to
        /// its last save and assigns serials again. It contains a count, because equal events can occur within a
        /// millisecond: a broadcast by staff raises two events.
        /// </summary>
        public static string MakeKey(string kind, IEntity subject)
        {
            return MakeKey(kind, Facts.SerialText(subject.Serial));
        }

        public static string MakeKey(string kind, string subject)
        {
            return Facts.Cut(kind + ":" + subject, 200) + ":" + Facts.Now + ":" + ++m_KeyCount;
        }

        /// <summary>Runs an action after all handlers of the current event, because their order is undefined.</summary>
        private static void RunAfterHandlers(string subject, Action action)
        {
            Timer.DelayCall(TimeSpan.Zero, () => Guard.Run(subject, action));
        }

        // ---- the hooks

        public static void Subscribe()
        {
            SubscribeServer();
            SubscribePeople();
            SubscribeDeathsAndItems();
            SubscribeProgress();
            SubscribeStaff();
        }

        private static void SubscribeServer()
        {
            EventSink.ServerStarted += () => Guard.Run("server.started", () => RunAfterHandlers("server.started", OnStarted));
            EventSink.Shutdown += e => Guard.Run("server.stopping", () => OnStopping(AutoRestart.Restarting ? "restart" : "shutdown", null));
            EventSink.Crashed += e => Guard.Run("server.stopping", () => OnStopping("crash", e.Exception));
            EventSink.BeforeWorldSave += e => Guard.Run("server.save", OnBeforeSave);
            EventSink.AfterWorldSave += e => Guard.Run("server.save", OnAfterSave);
            EventSink.WorldBroadcast += e => Guard.Run("world.broadcast", () => RunAfterHandlers("world.broadcast", () => OnBroadcast(e)));
        }

        private static void SubscribePeople()
        {
            EventSink.Login += e => Guard.Run("presence.login", () => OnLogin(e.Mobile));
            EventSink.Disconnected += e => Guard.Run("presence.logout", () => OnDisconnected(e.Mobile));
            EventSink.OnEnterRegion += e => Guard.Run("presence.region", () => OnEnterRegion(e));
            EventSink.CharacterCreated += e => Guard.Run("character.created", () => RunAfterHandlers("character.created", () => OnCharacterCreated(e)));
            EventSink.DeleteRequest += e => Guard.Run("character.deleted", () => OnDeleteRequest(e));
            EventSink.AccountLogin += e => Guard.Run("account.login", () => OnAccountLogin(e));
            EventSink.AccountGoldChange += e => Guard.Run("account.gold", () => OnGoldChange(e));
        }

        private static void SubscribeDeathsAndItems()
        {
            EventSink.PlayerDeath += e => Guard.Run("player.death", () => OnPlayerDeath(e));
            EventSink.CreatureDeath += e => Guard.Run("creature.kill", () => OnCreatureDeath(e));
            EventSink.PlayerMurdered += e => Guard.Run("player.murder", () => OnMurder(e));
            EventSink.JoinGuild += e => Guard.Run("guild.joined", () => RunAfterHandlers("guild.joined", () => States.OnJoinGuild(e.Guild as Guild, e.Mobile)));
            EventSink.ItemCreated += e => Guard.Run("item", () => OnItemCreated(e.Item));
            EventSink.CorpseLoot += e => Guard.Run("drop", () => OnCorpseLoot(e));
        }

        private static void SubscribeProgress()
        {
            EventSink.SkillGain += e => Guard.Run("skill.gain", () => OnSkillGain(e));
            EventSink.StatCapChange += e => Guard.Run("stat.cap", () => OnStatCap(e));
            EventSink.FameChange += e => Guard.Run("fame", () => Sums.AddValue("fame", e.Mobile, e.OldValue, e.NewValue));
            EventSink.KarmaChange += e => Guard.Run("karma", () => Sums.AddValue("karma", e.Mobile, e.OldValue, e.NewValue));
            EventSink.VirtueLevelChange += e => Guard.Run("virtue", () => OnVirtue(e));
            EventSink.QuestComplete += e => Guard.Run("quest.complete", () => OnQuest(e));
            EventSink.TameCreature += e => Guard.Run("tame", () => OnTame(e));
            EventSink.BODUsed += e => Guard.Run("bod", () => OnBulkOrder(e));
            EventSink.CraftSuccess += e => Guard.Run("craft", () => OnCraft(e));
            EventSink.ResourceHarvestSuccess += e => Guard.Run("harvest", () => OnHarvest(e));
        }

        private static void SubscribeStaff()
        {
            EventSink.Speech += e => Guard.Run("speech", () => OnSpeech(e));
            EventSink.Command += e => Guard.Run("admin.audit", () => OnCommand(e));
            EventSink.OnPropertyChanged += e => Guard.Run("admin.audit", () => OnPropertyChanged(e));
            EventSink.FastWalk += e => Guard.Run("cheat.fastwalk", () => OnFastWalk(e.NetState));
        }

        // ---- the server

        private static void OnStarted()
        {
            Emit("server.started", "boot:" + Link.BootId, new JsonWriter().Open().Text("shard", ServerList.ServerName).Field("version", Facts.ServerVersion)
                .Field("expansion", Core.Expansion.ToString()).Field("protocol", 8).Field("bootId", Link.BootId).Field("uptimeMs", Facts.UptimeMs).Field("clock", Facts.Now).Close());
        }

        private static void OnStopping(string reason, Exception fault)
        {
            var payload = new JsonWriter().Open().Field("reason", reason);

            if (fault != null)
                payload.Field("exception", Facts.Cut(fault.ToString(), 20000));

            Emit("server.stopping", "stop:" + Link.BootId, payload.Close());

            // The process ends when this handler returns, so wait until the site has stored the event.
            if (Link.State == LinkState.Linked)
                EventBuffer.WaitUntilStored(2500);
        }

        private static DateTime m_SaveBegan;

        private static void OnBeforeSave()
        {
            m_SaveBegan = DateTime.UtcNow;
            Emit("server.save", null, WriteWorldSize(new JsonWriter().Open().Field("phase", "start")).Close());
        }

        private static void OnAfterSave()
        {
            Emit("server.save", null, WriteWorldSize(new JsonWriter().Open().Field("phase", "done").Field("durationMs", (long)(DateTime.UtcNow - m_SaveBegan).TotalMilliseconds)).Close());
        }

        public static JsonWriter WriteWorldSize(JsonWriter to)
        {
            return to.Field("items", World.Items.Count).Field("mobiles", World.Mobiles.Count);
        }

        private static void OnBroadcast(WorldBroadcastEventArgs e)
        {
            if (!String.IsNullOrEmpty(e.Text))
                Emit("world.broadcast", MakeKey("broadcast", e.Access.ToString()), new JsonWriter().Open().Field("text", Facts.Cut(e.Text, 4000)).Field("hue", Math.Max(0, e.Hue)).Field("access", e.Access.ToString()).Close());
        }

        // ---- people

        private sealed class Session
        {
            public DateTime StartedAt;
            public string Address; // stored, because the connection is gone at logout
            public string Region; // last reported
        }

        private static readonly Dictionary<Mobile, Session> m_Sessions = new Dictionary<Mobile, Session>();

        private static void OnLogin(Mobile m)
        {
            var session = new Session { StartedAt = DateTime.UtcNow, Address = m.NetState == null ? null : m.NetState.Address.ToString(), Region = Facts.RegionAt(m.Map, m.Location) };
            m_Sessions[m] = session;

            if (Facts.IsPublicPlayer(m))
                Emit("presence.login", MakeKey("login", m), WriteSession(m, session).Close());
        }

        private static void OnDisconnected(Mobile m)
        {
            Session session;

            if (!m_Sessions.TryGetValue(m, out session))
                return;

            m_Sessions.Remove(m);

            if (Facts.IsPublicPlayer(m))
                Emit("presence.logout", MakeKey("logout", m), WriteSession(m, session).Field("sessionSec", (long)(DateTime.UtcNow - session.StartedAt).TotalSeconds).Close());
        }

        private static JsonWriter WriteSession(Mobile m, Session session)
        {
            Map map;
            Point3D at;
            Facts.FindPlace(m, out map, out at);
            return new JsonWriter(384).Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Account("acct", Facts.AccountOf(m)).Field("ip", session.Address)
                .Text("race", m.Race == null ? null : m.Race.Name).Field("guildId", m.Guild == null ? null : (long?)m.Guild.Id).Place("location", map, at);
        }

        /// <summary>Reports named regions, per player at most once in ten seconds: a fight can cross a border many times.</summary>
        private static void OnEnterRegion(OnEnterRegionEventArgs e)
        {
            Mobile m = e.From;
            Session session;

            if (m.NetState == null || !Facts.IsPublicPlayer(m) || !m_Sessions.TryGetValue(m, out session))
                return;

            string from = session.Region, to = Facts.RegionAt(m.Map, m.Location);

            if (from == to || !Sums.IsFirstWithin("region", m, 10))
                return;

            session.Region = to;
            Emit("presence.region", MakeKey("region", m), new JsonWriter().Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Text("from", from).Text("to", to).Place("location", m).Close());
        }

        private static void OnCharacterCreated(CharacterCreatedEventArgs e)
        {
            Mobile m = e.Mobile;

            if (m == null || m.Deleted)
                return;

            Emit("character.created", MakeKey("character", m), new JsonWriter().Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Account("acct", Facts.AccountOf(m))
                .Text("race", m.Race == null ? null : m.Race.Name).Field("female", m.Female).Field("profession", e.Profession)
                .Field("str", m.RawStr).Field("dex", m.RawDex).Field("int", m.RawInt).Close());
        }

        private static void OnDeleteRequest(DeleteRequestEventArgs e)
        {
            var account = e.State.Account as Account;
            Mobile m = account == null ? null : account[e.Index];

            if (m == null)
                return;

            // The game may refuse to delete a character that is too new or in use.
            RunAfterHandlers("character.deleted", () =>
            {
                if (m.Deleted)
                    Emit("character.deleted", MakeKey("deleted", m), new JsonWriter().Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Account("acct", account.Username).Field("index", e.Index).Close());
            });
        }

        /// <summary>Reports a sign-in, without its password.</summary>
        private static void OnAccountLogin(AccountLoginEventArgs e)
        {
            string address = e.State.Address.ToString();

            if (e.Accepted && Accounts.GetAccount(e.Username ?? "") == null)
                Signup.CheckNewAccount(e);

            RunAfterHandlers("account.login", () =>
            {
                // Ignore invalid names, because an attacker can send any text as a name.
                if (!Facts.IsPlainName(e.Username) || e.Username.Length == 0)
                    return;

                if (e.Accepted)
                    States.ReportIfNewAccount(e.Username, address);

                // Failed sign-ins must not displace sales and links in a buffer that waits for the site.
                if (!e.Accepted && EventBuffer.Count > EventBuffer.MaxEvents / 2)
                    return;

                Emit("account.login", MakeKey("account.login", e.Username.ToLowerInvariant()), new JsonWriter().Open().Field("acct", e.Username).Field("ip", address).Field("ok", e.Accepted)
                    .Field("reason", e.Accepted ? null : e.RejectReason.ToString()).Close());

                // The game gives this reason when too many connections come from one address.
                if (!e.Accepted && e.RejectReason == ALRReason.InUse)
                    OnAddressLimit(address);
            });
        }

        private static void OnAddressLimit(string address)
        {
            var payload = new JsonWriter().Open().Field("ip", address).OpenList("accounts");

            foreach (NetState state in NetState.Instances)
            {
                if (state.Account != null && state.Address.ToString() == address && Facts.IsPlainName(state.Account.Username))
                    payload.Value(state.Account.Username);
            }

            Emit("ip.limit", MakeKey("ip.limit", address), payload.CloseList().Field("limit", IPLimiter.MaxAddresses).Close());
        }

        private static void OnGoldChange(AccountGoldChangeEventArgs e)
        {
            if (e.Account != null && Facts.IsPlainName(e.Account.Username))
                Emit("account.gold", MakeKey("gold", e.Account.Username.ToLowerInvariant()), new JsonWriter().Open().Field("acct", e.Account.Username).Field("old", ToCoins(e.OldAmount)).Field("new", ToCoins(e.NewAmount)).Close());
        }

        /// <summary>Converts platinum to coins. The limit is 2^53, up to which a JSON number is exact.</summary>
        public static long ToCoins(double platinum)
        {
            double coins = Math.Floor(platinum * Server.Accounting.Account.CurrencyThreshold + 0.5);
            return coins < 0 ? 0 : (long)Math.Min(coins, 9007199254740992.0);
        }

        // ---- deeds

        private static void OnPlayerDeath(PlayerDeathEventArgs e)
        {
            Mobile m = e.Mobile;

            if (!Facts.IsPublicPlayer(m))
                return;

            Mobile killer = Facts.FindResponsible(e.Killer);
            Emit("player.death", MakeKey("death", m), new JsonWriter(512).Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Serial("killerSerial", e.Killer).Field("killerName", Facts.NameOf(e.Killer))
                .Field("killerType", e.Killer == null ? null : e.Killer.GetType().Name).Serial("corpse", e.Corpse).Field("pvp", killer is PlayerMobile && killer != m).Place("location", m).Close());
        }

        private static void OnCreatureDeath(CreatureDeathEventArgs e)
        {
            var creature = e.Creature as BaseCreature;

            if (creature == null)
                return;

            bool isBoss = creature is BaseChampion || creature is Harrower || creature is BasePeerless;

            if (!isBoss && !creature.IsParagon)
                return;

            States.StoreBossDamage(creature);
            Mobile killer = Facts.FindResponsible(e.Killer);

            Emit("creature.kill", MakeKey("kill", creature), new JsonWriter().Open().Field("type", creature.GetType().Name).Serial("serial", creature.Serial).Person("killer", Facts.IsPublicPlayer(killer) ? killer : null)
                .Field("paragon", creature.IsParagon).Place("location", creature).Close());
        }

        private static void OnMurder(PlayerMurderedEventArgs e)
        {
            if (e.Murderer != null && e.Victim != null)
                Emit("player.murder", MakeKey("murder", e.Victim), new JsonWriter().Open().Person("murderer", e.Murderer).Person("victim", e.Victim).Field("kills", Math.Max(0, e.Murderer.Kills)).Place("location", e.Victim).Close());
        }

        /// <summary>The game raises this event a moment after it made the item, when the owner already has it.</summary>
        private static void OnItemCreated(Item item)
        {
            var altar = item as ChampionSpawn;

            if (altar != null)
                States.AddAltar(altar);

            if (item.Deleted || item.Parent == null || !(item is SpecialScroll || item.IsArtifact))
                return;

            var owner = item.RootParent as PlayerMobile;

            if (owner == null || owner.NetState == null || !Facts.IsPublicPlayer(owner) || Sums.WasCrafted(item))
                return;

            bool isChampionSpawn = owner.Region != null && owner.Region.IsPartOf(typeof(ChampionSpawnRegion));

            if (item is SpecialScroll && !isChampionSpawn)
                return; // bought, traded in or made by binding other scrolls

            EmitDrop(item, owner, null, isChampionSpawn ? "champion" : null);
        }

        private static void OnCorpseLoot(CorpseLootEventArgs e)
        {
            var corpse = e.Corpse as Corpse;

            if (corpse == null || corpse.Owner is PlayerMobile || e.Looted == null || !(e.Looted is SpecialScroll || e.Looted.IsArtifact) || !Facts.IsPublicPlayer(e.Mobile))
                return;

            var creature = corpse.Owner as BaseCreature;
            EmitDrop(e.Looted, e.Mobile, corpse.Owner == null ? null : corpse.Owner.GetType().Name, creature != null && creature.IsParagon ? "paragon" : null);
        }

        private static void EmitDrop(Item item, Mobile to, string from, string kind)
        {
            string name = item.Name;
            Emit(item is SpecialScroll ? "drop.scroll" : "drop.artifact", MakeKey("drop", item), new JsonWriter().Open().Serial("serial", item.Serial).Field("itemType", item.GetType().Name).Text("name", String.IsNullOrEmpty(name) ? null : name)
                .Person("to", to).Field("from", from).Field("kind", kind).Place("location", to).Close());
        }

        // ---- progress

        private static readonly int[] m_Milestones = { 500, 700, 900, 1000, 1100, 1200 };

        /// <summary>Reports milestones only, because skills rise by a tenth many times an hour.</summary>
        private static void OnSkillGain(SkillGainEventArgs e)
        {
            if (!Facts.IsPublicPlayer(e.From))
                return;

            int now = e.Skill.BaseFixedPoint, before = now - e.Gained;

            foreach (int milestone in m_Milestones)
            {
                if (before < milestone && now >= milestone)
                    Emit("skill.gain", MakeKey("skill", Facts.SerialText(e.From.Serial) + ":" + e.Skill.SkillName), new JsonWriter().Open().Serial("serial", e.From.Serial).Field("name", Facts.NameOf(e.From))
                        .Field("skill", e.Skill.SkillName.ToString()).Field("base", now).Field("delta", e.Gained).Field("cap", e.Skill.CapFixedPoint).Close());
            }
        }

        private static JsonWriter WriteChange(Mobile m, long before, long now)
        {
            return new JsonWriter().Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Field("old", before).Field("new", now);
        }

        private static void OnStatCap(StatCapChangeEventArgs e)
        {
            if (Facts.IsPublicPlayer(e.Mobile))
                Emit("stat.cap", MakeKey("stat.cap", e.Mobile), WriteChange(e.Mobile, e.OldCap, e.NewCap).Close());
        }

        private static void OnVirtue(VirtueLevelChangeEventArgs e)
        {
            if (Facts.IsPublicPlayer(e.Mobile))
                Emit("virtue", MakeKey("virtue", e.Mobile), WriteChange(e.Mobile, e.OldLevel, e.NewLevel).Field("virtue", GetVirtueName(e.Virtue)).Close());
        }

        public static readonly string[] VirtueNames = { "Humility", "Sacrifice", "Compassion", "Spirituality", "Valor", "Honor", "Justice", "Honesty" };

        private static string GetVirtueName(int virtue)
        {
            return virtue >= 0 && virtue < VirtueNames.Length ? VirtueNames[virtue] : virtue.ToString();
        }

        private static void OnQuest(QuestCompleteEventArgs e)
        {
            if (Facts.IsPublicPlayer(e.Mobile) && e.QuestType != null)
                Emit("quest.complete", MakeKey("quest", e.Mobile), new JsonWriter().Open().Serial("serial", e.Mobile.Serial).Field("name", Facts.NameOf(e.Mobile)).Text("quest", e.QuestType.Name).Text("type", e.QuestType.Name).Close());
        }

        private static void OnTame(TameCreatureEventArgs e)
        {
            if (Facts.IsPublicPlayer(e.Mobile) && e.Creature != null)
                Emit("tame", MakeKey("tame", e.Creature), new JsonWriter().Open().Serial("serial", e.Mobile.Serial).Field("name", Facts.NameOf(e.Mobile)).Field("type", e.Creature.GetType().Name).Close());
        }

        private static void OnBulkOrder(BODUsedEventArgs e)
        {
            if (Facts.IsPublicPlayer(e.User) && e.BODItem != null)
                Emit("bod", MakeKey("bod", e.BODItem), new JsonWriter().Open().Serial("serial", e.User.Serial).Field("name", Facts.NameOf(e.User)).Field("type", e.BODItem.GetType().Name).Close());
        }

        private static void OnCraft(CraftSuccessEventArgs e)
        {
            if (e.CraftedItem == null)
                return;

            Sums.AddCrafted(e.CraftedItem);
            Sums.AddAmount("craft", e.Crafter, e.CraftedItem.GetType().Name, e.CraftedItem.Amount);
        }

        private static void OnHarvest(ResourceHarvestSuccessEventArgs e)
        {
            if (e.Resource != null)
                Sums.AddAmount("harvest", e.Harvester, e.Resource.GetType().Name, e.Resource.Amount);
        }

        // ---- events for staff

        private static void OnSpeech(SpeechEventArgs e)
        {
            Mobile m = e.Mobile;

            if (!(m is PlayerMobile) || String.IsNullOrEmpty(e.Speech) || !Settings.GetFlag("Speech", true))
                return;

            Emit("speech", null, new JsonWriter(384).Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Account("acct", Facts.AccountOf(m)).Field("type", e.Type.ToString())
                .Field("text", Facts.Cut(e.Speech, 4000)).Field("hue", Math.Max(0, e.Hue)).Place("location", m).Close());
        }

        private static void OnCommand(CommandEventArgs e)
        {
            if (e.Mobile == null || e.Mobile.AccessLevel < AccessLevel.Counselor)
                return;

            bool isSecret = e.Command.IndexOf("pass", StringComparison.OrdinalIgnoreCase) >= 0;
            EmitAudit(e.Mobile, e.Command, isSecret ? "***" : e.ArgString, null);
        }

        private static void OnPropertyChanged(OnPropertyChangedEventArgs e)
        {
            if (e.Mobile == null || e.Mobile.AccessLevel < AccessLevel.Counselor || e.Property == null)
                return;

            bool isSecret = e.Property.Name.IndexOf("pass", StringComparison.OrdinalIgnoreCase) >= 0;
            var entity = e.Instance as IEntity;
            string change = isSecret ? e.Property.Name : e.Property.Name + ": " + ToText(e.OldValue) + " -> " + ToText(e.NewValue);
            EmitAudit(e.Mobile, "props", change, entity == null ? ToText(e.Instance) : Facts.SerialText(entity.Serial));
        }

        private static string ToText(object value)
        {
            return value == null ? "null" : Facts.Cut(value.ToString() ?? "", 400);
        }

        private static void EmitAudit(Mobile actor, string command, string args, string target)
        {
            var payload = new JsonWriter(512).Open().Open("actor").Serial("serial", actor.Serial).Field("name", Facts.NameOf(actor)).Account("acct", Facts.AccountOf(actor)).Field("access", actor.AccessLevel.ToString()).Close();
            Emit("admin.audit", MakeKey("audit", actor), payload.Text("command", command).Field("args", Facts.Cut(args ?? "", 4000)).Text("target", target).Place("location", actor).Close());
        }

        private static void OnFastWalk(NetState state)
        {
            Mobile m = state == null ? null : state.Mobile;

            if (m == null || !Sums.IsFirstWithin("fastwalk", m, 60))
                return;

            Emit("cheat.fastwalk", MakeKey("fastwalk", m), new JsonWriter().Open().Serial("serial", m.Serial).Account("acct", Facts.AccountOf(m)).Field("ip", state.Address.ToString())
                .Field("client", state.Version == null ? null : state.Version.ToString()).Place("location", m).Close());
        }

        // ---- purchases from players' vendors and chat messages, for which the game raises no event

        /// <summary>
        /// Wraps the handlers of gump answers (0xB1) and of chat messages, after all scripts have set theirs.
        /// Newer clients have their own table of handlers, so both tables are changed.
        /// </summary>
        public static void WrapPackets()
        {
            PacketHandler older = PacketHandlers.GetHandler(0xB1), newer = PacketHandlers.Get6017Handler(0xB1);

            if (older != null)
            {
                PacketHandlers.Register(0xB1, older.Length, older.Ingame, WatchPurchases(older.OnReceive));
                PacketHandlers.GetHandler(0xB1).ThrottleCallback = older.ThrottleCallback;
            }

            if (newer != null)
            {
                PacketHandlers.Register6017(0xB1, newer.Length, newer.Ingame, WatchPurchases(newer.OnReceive));
                PacketHandlers.Get6017Handler(0xB1).ThrottleCallback = newer.ThrottleCallback;
            }

            ChatActionHandler chat = ChatActionHandlers.GetHandler(0x61);

            if (chat != null)
                ChatActionHandlers.Register(0x61, chat.RequireConference, WatchChat(chat.Callback));
        }

        private struct Offer
        {
            public PlayerVendor Vendor;
            public VendorItem Item;
        }

        private static readonly FieldInfo m_VendorField = FindField(typeof(PlayerVendor)), m_ItemField = FindField(typeof(VendorItem));

        /// <summary>Finds a private field of the gump by its type, because its name may change.</summary>
        private static FieldInfo FindField(Type type)
        {
            foreach (FieldInfo field in typeof(PlayerVendorBuyGump).GetFields(BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public))
            {
                if (field.FieldType == type)
                    return field;
            }

            return null;
        }

        private static OnPacketReceive WatchPurchases(OnPacketReceive inner)
        {
            return (state, reader) =>
            {
                List<Offer> offers = null;
                Guard.Run("vendor.sale", () => offers = FindOffers(state));
                inner(state, reader); // unguarded: the game handles its own exceptions

                if (offers != null)
                    Guard.Run("vendor.sale", () => ReportPurchases(offers, state.Mobile));
            };
        }

        private static List<Offer> FindOffers(NetState state)
        {
            List<Offer> offers = null;

            if (m_VendorField == null || m_ItemField == null || state.Mobile == null)
                return null;

            foreach (Gump gump in state.Gumps)
            {
                if (!(gump is PlayerVendorBuyGump))
                    continue;

                var offer = new Offer { Vendor = m_VendorField.GetValue(gump) as PlayerVendor, Item = m_ItemField.GetValue(gump) as VendorItem };

                if (offer.Vendor == null || offer.Item == null || !offer.Item.Valid)
                    continue;

                offers = offers ?? new List<Offer>();
                offers.Add(offer);
            }

            return offers;
        }

        /// <summary>
        /// Reports the sold offers. An offer is sold if it is no longer valid and the buyer has its item.
        /// </summary>
        private static void ReportPurchases(List<Offer> offers, Mobile buyer)
        {
            foreach (Offer offer in offers)
            {
                if (offer.Item.Valid || offer.Item.Item == null || offer.Item.Item.RootParent != buyer)
                    continue;

                EmitSale(offer.Vendor, offer.Item, buyer);
                States.MarkSoldVendor(offer.Vendor);
            }
        }

        private static void EmitSale(PlayerVendor vendor, VendorItem sold, Mobile buyer)
        {
            long? commission = null;

            if (vendor.IsCommission)
                commission = (int)(sold.Price * (vendor.CommissionPerc / 100));

            var payload = new JsonWriter(640).Open().Serial("vendor", vendor.Serial).Text("shopName", vendor.ShopName).Serial("ownerSerial", vendor.Owner).Account("ownerAcct", Facts.AccountOf(vendor.Owner))
                .Person("buyer", buyer).Open("item").ItemFields(sold.Item, false).Field("itemType", sold.Item.GetType().Name).Close();

            Emit("vendor.sale", MakeKey("sale", sold.Item), payload.Field("price", Math.Max(0, sold.Price)).Field("commission", commission).Place("location", vendor).Close());
        }

        private static OnChatAction WatchChat(OnChatAction inner)
        {
            return (from, channel, text) =>
            {
                inner(from, channel, text);
                Guard.Run("chat.message", () =>
                {
                    if (from != null && from.Mobile != null && channel != null && !String.IsNullOrEmpty(text) && Settings.GetFlag("Speech", true))
                        Emit("chat.message", MakeKey("chat", from.Mobile), new JsonWriter().Open().Text("channel", channel.Name).Serial("serial", from.Mobile.Serial).Field("name", Facts.NameOf(from.Mobile)).Field("text", Facts.Cut(text, 4000)).Close());
                });
            };
        }
    }
}
