// The names and signatures of the game server's network and events that the plugin uses.
using System;
using System.Collections.Generic;
using System.Net;
using System.Reflection;
using Server.Accounting;
using Server.Commands;
using Server.Guilds;
using Server.Gumps;
using Server.Items;
using Server.Network;

namespace Server.Network
{
    public enum MessageType { Regular }
    public enum ALRReason : byte { Invalid, InUse }

    public class ClientVersion { }

    public class NetState
    {
        public static List<NetState> Instances { get { throw null; } }
        public Mobile Mobile { get; set; }
        public IAccount Account { get; set; }
        public IPAddress Address { get { throw null; } }
        public ClientVersion Version { get; set; }
        public List<Gump> Gumps { get { throw null; } }
        public void Dispose() { }
    }

    public class PacketReader { }

    public delegate void OnPacketReceive(NetState state, PacketReader reader);
    public delegate void ThrottlePacketCallback();

    public class PacketHandler
    {
        public int Length { get { throw null; } }
        public bool Ingame { get { throw null; } }
        public OnPacketReceive OnReceive { get { throw null; } }
        public ThrottlePacketCallback ThrottleCallback { get; set; }
    }

    public static class PacketHandlers
    {
        public static PacketHandler GetHandler(int packet) { throw null; }
        public static PacketHandler Get6017Handler(int packet) { throw null; }
        public static void Register(int packet, int length, bool ingame, OnPacketReceive handler) { }
        public static void Register6017(int packet, int length, bool ingame, OnPacketReceive handler) { }
    }
}

namespace Server
{
    public class CrashedEventArgs : EventArgs { public Exception Exception { get { throw null; } } }
    public class ShutdownEventArgs : EventArgs { }
    public class BeforeWorldSaveEventArgs : EventArgs { }
    public class AfterWorldSaveEventArgs : EventArgs { }
    public class WorldBroadcastEventArgs : EventArgs { public int Hue { get; set; } public AccessLevel Access { get; set; } public string Text { get; set; } }
    public class LoginEventArgs : EventArgs { public Mobile Mobile { get { throw null; } } }
    public class DisconnectedEventArgs : EventArgs { public Mobile Mobile { get { throw null; } } }
    public class OnEnterRegionEventArgs : EventArgs { public Mobile From { get { throw null; } } public Region OldRegion { get { throw null; } } }
    public class CharacterCreatedEventArgs : EventArgs { public Mobile Mobile { get; set; } public int Profession { get; set; } }
    public class DeleteRequestEventArgs : EventArgs { public NetState State { get { throw null; } } public int Index { get { throw null; } } }
    public class AccountGoldChangeEventArgs : EventArgs { public IAccount Account { get; set; } public double OldAmount { get; set; } public double NewAmount { get; set; } }
    public class PlayerDeathEventArgs : EventArgs { public Mobile Mobile { get { throw null; } } public Mobile Killer { get { throw null; } } public Container Corpse { get { throw null; } } }
    public class CreatureDeathEventArgs : EventArgs { public Mobile Creature { get { throw null; } } public Mobile Killer { get { throw null; } } }
    public class PlayerMurderedEventArgs : EventArgs { public Mobile Murderer { get; set; } public Mobile Victim { get; set; } }
    public class JoinGuildEventArgs : EventArgs { public Mobile Mobile { get; set; } public BaseGuild Guild { get; set; } }
    public class ItemCreatedEventArgs : EventArgs { public Item Item { get; set; } }
    public class CorpseLootEventArgs : EventArgs { public Mobile Mobile { get; set; } public Container Corpse { get; set; } public Item Looted { get; set; } }
    public class SkillGainEventArgs : EventArgs { public Mobile From { get { throw null; } } public Skill Skill { get { throw null; } } public int Gained { get { throw null; } } }
    public class StatCapChangeEventArgs : EventArgs { public Mobile Mobile { get { throw null; } } public int OldCap { get { throw null; } } public int NewCap { get { throw null; } } }
    public class FameChangeEventArgs : EventArgs { public Mobile Mobile { get; set; } public int OldValue { get; set; } public int NewValue { get; set; } }
    public class KarmaChangeEventArgs : EventArgs { public Mobile Mobile { get; set; } public int OldValue { get; set; } public int NewValue { get; set; } }
    public class VirtueLevelChangeEventArgs : EventArgs { public Mobile Mobile { get; set; } public int OldLevel { get; set; } public int NewLevel { get; set; } public int Virtue { get; set; } }
    public class QuestCompleteEventArgs : EventArgs { public Mobile Mobile { get { throw null; } } public Type QuestType { get { throw null; } } }
    public class TameCreatureEventArgs : EventArgs { public Mobile Mobile { get; set; } public Mobile Creature { get; set; } }
    public class BODUsedEventArgs : EventArgs { public Mobile User { get { throw null; } } public Item BODItem { get { throw null; } } }
    public class CraftSuccessEventArgs : EventArgs { public Mobile Crafter { get { throw null; } } public Item CraftedItem { get { throw null; } } }
    public class ResourceHarvestSuccessEventArgs : EventArgs { public Mobile Harvester { get { throw null; } } public Item Resource { get { throw null; } } }
    public class SpeechEventArgs : EventArgs { public Mobile Mobile { get { throw null; } } public string Speech { get; set; } public MessageType Type { get { throw null; } } public int Hue { get { throw null; } } }
    public class OnPropertyChangedEventArgs : EventArgs { public Mobile Mobile { get { throw null; } } public PropertyInfo Property { get { throw null; } } public object Instance { get { throw null; } } public object OldValue { get { throw null; } } public object NewValue { get { throw null; } } }
    public class FastWalkEventArgs : EventArgs { public NetState NetState { get { throw null; } } }

    public class AccountLoginEventArgs : EventArgs
    {
        public NetState State { get { throw null; } }
        public string Username { get { throw null; } }
        public string Password { get { throw null; } }
        public bool Accepted { get; set; }
        public ALRReason RejectReason { get; set; }
    }

    public static class EventSink
    {
#pragma warning disable 67
        public static event Action ServerStarted;
        public static event Action<ShutdownEventArgs> Shutdown;
        public static event Action<CrashedEventArgs> Crashed;
        public static event Action<BeforeWorldSaveEventArgs> BeforeWorldSave;
        public static event Action<AfterWorldSaveEventArgs> AfterWorldSave;
        public static event Action<WorldBroadcastEventArgs> WorldBroadcast;
        public static event Action<LoginEventArgs> Login;
        public static event Action<DisconnectedEventArgs> Disconnected;
        public static event Action<OnEnterRegionEventArgs> OnEnterRegion;
        public static event Action<CharacterCreatedEventArgs> CharacterCreated;
        public static event Action<DeleteRequestEventArgs> DeleteRequest;
        public static event Action<AccountLoginEventArgs> AccountLogin;
        public static event Action<AccountGoldChangeEventArgs> AccountGoldChange;
        public static event Action<PlayerDeathEventArgs> PlayerDeath;
        public static event Action<CreatureDeathEventArgs> CreatureDeath;
        public static event Action<PlayerMurderedEventArgs> PlayerMurdered;
        public static event Action<JoinGuildEventArgs> JoinGuild;
        public static event Action<ItemCreatedEventArgs> ItemCreated;
        public static event Action<CorpseLootEventArgs> CorpseLoot;
        public static event Action<SkillGainEventArgs> SkillGain;
        public static event Action<StatCapChangeEventArgs> StatCapChange;
        public static event Action<FameChangeEventArgs> FameChange;
        public static event Action<KarmaChangeEventArgs> KarmaChange;
        public static event Action<VirtueLevelChangeEventArgs> VirtueLevelChange;
        public static event Action<QuestCompleteEventArgs> QuestComplete;
        public static event Action<TameCreatureEventArgs> TameCreature;
        public static event Action<BODUsedEventArgs> BODUsed;
        public static event Action<CraftSuccessEventArgs> CraftSuccess;
        public static event Action<ResourceHarvestSuccessEventArgs> ResourceHarvestSuccess;
        public static event Action<SpeechEventArgs> Speech;
        public static event CommandEventHandler Command;
        public static event Action<OnPropertyChangedEventArgs> OnPropertyChanged;
        public static event Action<FastWalkEventArgs> FastWalk;
#pragma warning restore 67
    }
}
