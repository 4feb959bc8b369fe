// The names and signatures of the game's scripts that the plugin uses.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Net;
using Server.Gumps;
using Server.Items;
using Server.Mobiles;
using Server.Multis;
using Server.Network;

namespace Server.Accounting
{
    public interface IAccount
    {
        string Username { get; set; }
        AccessLevel AccessLevel { get; set; }
        int Length { get; }
        Mobile this[int index] { get; set; }
    }

    public class AccountComment { public AccountComment(string by, string content) { } }

    public class Account : IAccount
    {
        public static readonly TimeSpan YoungDuration;
        public static int CurrencyThreshold { get; set; }
        public Account(string name, string password) { }
        public string Username { get; set; }
        public AccessLevel AccessLevel { get; set; }
        public int Length { get { throw null; } }
        public Mobile this[int index] { get { throw null; } set { } }
        public bool Banned { get; set; }
        public DateTime LastLogin { get; set; }
        public double TotalCurrency { get { throw null; } }
        public string PlainPassword { get; set; }
        public string _MD5Password { get; set; }
        public string _SHA1Password { get; set; }
        public string _SHA512Password { get; set; }
        public IPAddress[] LoginIPs { get; set; }
        public List<AccountComment> Comments { get { throw null; } }
        public string GetTag(string name) { throw null; }
        public void SetTag(string name, string value) { }
        public void RemoveTag(string name) { }
        public void SetBanTags(Mobile from, DateTime time, TimeSpan duration) { }
        public void SetUnspecifiedBan(Mobile from) { }
    }

    public class Accounts
    {
        public static ICollection<IAccount> GetAccounts() { throw null; }
        public static IAccount GetAccount(string name) { throw null; }
    }

    public class AccountAttackLimiter { public static void RegisterInvalidAccess(NetState state) { } }
}

namespace Server.Misc
{
    public class AccountHandler
    {
        public static Dictionary<IPAddress, int> IPTable { get { throw null; } }
        public static bool CanCreate(IPAddress address) { throw null; }
    }

    public class IPLimiter { public static int MaxAddresses; }

    public class ServerList { public static string ServerName; }

    public class AutoRestart
    {
        public static bool Enabled;
        public static int Hour;
        public static bool Restarting { get { throw null; } }
        public static DateTime RestartTime { get { throw null; } }
    }
}

namespace Server.Regions
{
    public class HouseRegion : Region { }
}

namespace Server.Items
{
    public class Corpse : Container { public Mobile Owner { get { throw null; } } }
    public abstract class SpecialScroll : Item { }
}

namespace Server.Mobiles
{
    public class PlayerMobile : Mobile { public DateTime LastOnline { get; set; } }

    public class BaseCreature : Mobile
    {
        public bool IsParagon { get; set; }
        public Mobile GetMaster() { throw null; }
    }

    public abstract class BaseChampion : BaseCreature { }
    public class BasePeerless : BaseCreature { }
    public class Harrower : BaseCreature { }

    public class VendorItem
    {
        public Item Item { get { throw null; } }
        public int Price { get { throw null; } }
        public bool IsForSale { get { throw null; } }
        public bool Valid { get { throw null; } }
    }

    public class PlayerVendor : Mobile
    {
        public static List<PlayerVendor> PlayerVendors { get; set; }
        public Mobile Owner { get; set; }
        public BaseHouse House { get; set; }
        public string ShopName { get; set; }
        public bool VendorSearch { get; set; }
        public int HoldGold { get; set; }
        public int BankAccount { get; set; }
        public int ChargePerRealWorldDay { get { throw null; } }
        public bool IsCommission { get { throw null; } }
        public double CommissionPerc { get { throw null; } }
        public VendorItem GetVendorItem(Item item) { throw null; }
    }

    public class TownCrierEntry
    {
        public string[] Lines { get { throw null; } }
        public DateTime ExpireTime { get { throw null; } }
        public bool Expired { get { throw null; } }
    }

    public class GlobalTownCrierEntryList
    {
        public static GlobalTownCrierEntryList Instance { get { throw null; } }
        public List<TownCrierEntry> Entries { get { throw null; } }
        public TownCrierEntry AddEntry(string[] lines, TimeSpan duration) { throw null; }
        public void RemoveEntry(TownCrierEntry entry) { }
    }
}

namespace Server.Multis
{
    public enum DecayLevel { Ageless, IDOC, Collapsed, DemolitionPending }
    public enum DecayType { Ageless }

    public class HouseSign : Item { public string GetName() { throw null; } }

    public abstract class BaseHouse : Item
    {
        public static List<BaseHouse> AllHouses { get { throw null; } }
        public static int AccountHouseLimit { get { throw null; } }
        public DecayLevel DecayLevel { get { throw null; } }
        public DecayType DecayType { get { throw null; } }
        public DateTime NextDecayStage { get; set; }
        public DateTime LastRefreshed { get; set; }
        public DateTime LastTraded { get; set; }
        public DateTime BuiltOn { get; set; }
        public Mobile Owner { get; set; }
        public List<Mobile> CoOwners { get; set; }
        public HouseSign Sign { get; set; }
        public bool Public { get; set; }
        public int Price { get; set; }
    }

    public class DynamicDecay { public static bool Enabled { get { throw null; } } }
}

namespace Server.Gumps
{
    public class PlayerVendorBuyGump : Gump { }
}

namespace Server.Guilds
{
    public enum WarStatus { Pending }

    public class WarDeclaration
    {
        public Guild Opponent { get { throw null; } }
        public WarStatus Status { get { throw null; } }
    }

    public class Guild : BaseGuild
    {
        public override string Name { get; set; }
        public override string Abbreviation { get; set; }
        public override GuildType Type { get; set; }
        public override bool Disbanded { get { throw null; } }
        public Mobile Leader { get; set; }
        public List<Mobile> Members { get { throw null; } }
        public List<WarDeclaration> AcceptedWars { get { throw null; } }
        public List<Guild> Enemies { get { throw null; } }
    }
}

namespace Server.Engines.CannedEvil
{
    public enum ChampionSpawnType { Abyss }

    public class ChampionSpawnRegion : Region { }

    public class ChampionSpawn : Item
    {
        public string SpawnName { get; set; }
        public string GroupName { get; set; }
        public ChampionSpawnType Type { get; set; }
        public bool Active { get; set; }
        public int Level { get; set; }
        public int StartLevel { get { throw null; } }
        public int Rank { get { throw null; } }
        public int Kills { get; set; }
        public int MaxKills { get { throw null; } }
        public Mobile Champion { get; set; }
        public DateTime RestartTime { get { throw null; } }
        public void Start(bool serverLoad = false) { }
        public void Stop() { }
    }
}

namespace Server.Engines.Chat
{
    public delegate void OnChatAction(ChatUser from, Channel channel, string param);

    public class ChatUser { public Mobile Mobile { get { throw null; } } }
    public class Channel { public string Name { get { throw null; } } }

    public class ChatActionHandler
    {
        public bool RequireConference { get { throw null; } }
        public OnChatAction Callback { get { throw null; } }
    }

    public class ChatActionHandlers
    {
        public static ChatActionHandler GetHandler(int action) { throw null; }
        public static void Register(int action, bool requireConference, OnChatAction callback) { }
    }
}

namespace Server.Engines.CityLoyalty
{
    public enum City { Moonglow }

    public class BallotEntry
    {
        public PlayerMobile Player { get; set; }
        public List<PlayerMobile> Votes { get; set; }
    }

    public class CityElection
    {
        public List<BallotEntry> Candidates { get; set; }
        public bool CanNominate(out DateTime until) { throw null; }
        public bool CanVote(out DateTime until) { throw null; }
    }

    public class CityLoyaltySystem : Server.Engines.Points.PointsSystem
    {
        public static readonly bool Enabled;
        public static List<CityLoyaltySystem> Cities { get { throw null; } }
        public City City { get { throw null; } }
        public CityElection Election { get; set; }
        public Mobile Governor { get; set; }
        public Mobile GovernorElect { get; set; }
        public bool PendingGovernor { get; set; }
    }
}

namespace Server.Engines.Help
{
    public enum PageType { Bug }

    public class PageEntry
    {
        public Mobile Sender { get { throw null; } }
        public Mobile Handler { get; set; }
        public DateTime Sent { get; set; }
        public string Message { get; set; }
        public PageType Type { get; set; }
        public Point3D PageLocation { get; set; }
        public Map PageMap { get; set; }
        public Server.Engines.Reports.PageInfo PageInfo { get { throw null; } }
    }

    public class PageQueue
    {
        public static ArrayList List { get { throw null; } }
        public static void Remove(PageEntry entry) { }
    }

    public class ResponseEntry { public ResponseEntry(Mobile sender, Mobile handler, string message) { } }
    public class MessageSentGump : Gump { public MessageSentGump(Mobile to, string name, string text) { } }
}

namespace Server.Engines.Points
{
    public enum PointsType { None }

    public class PointsEntry
    {
        public PlayerMobile Player { get { throw null; } }
        public double Points { get; set; }
    }

    public abstract class PointsSystem
    {
        public static List<PointsSystem> Systems { get; set; }
        public List<PointsEntry> PlayerTable { get; set; }
        public TextDefinition Name { get { throw null; } }
        public PointsType Loyalty { get { throw null; } }
        public double MaxPoints { get { throw null; } }
        public bool ShowOnLoyaltyGump { get { throw null; } }
    }
}

namespace Server.Engines.Reports
{
    public enum PageResolution { None }

    public class ResponseInfo
    {
        public string SentBy { get; set; }
        public string Message { get; set; }
        public DateTime TimeStamp { get; set; }
    }

    public class ResponseInfoCollection : CollectionBase { public ResponseInfo this[int index] { get { throw null; } } }

    public class PageInfo
    {
        public PageResolution Resolution { get { throw null; } }
        public ResponseInfoCollection Responses { get; set; }
    }
}

namespace Server.Engines.VvV
{
    public class ViceVsVirtueSystem { public static bool Enabled; }
}

namespace Ultima
{
    public static class Art
    {
        public static int GetMaxItemID() { throw null; }
        public static byte[] GetRawStatic(int item) { throw null; }
    }
}
