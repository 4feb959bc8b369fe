// The names and signatures of the game server's core that the plugin uses, without any function. They are
// written for the test that compiles the plugin.
using System;
using System.Collections.Generic;
using Server.Accounting;
using Server.Commands;
using Server.Guilds;
using Server.Items;
using Server.Network;

namespace Server
{
    public enum AccessLevel { Player, VIP, Counselor, Decorator, Spawner, GameMaster, Seer, Administrator, Developer, CoOwner, Owner }
    public enum Expansion { None }
    public enum MapRules { FeluccaRules, TrammelRules }
    public enum SkillName { Alchemy }
    public enum SkillLock : byte { Up }
    public enum Layer : byte { Invalid, Backpack, LastUserValid }

    public delegate void Slice();
    public delegate void TimerCallback();

    public class CallPriorityAttribute : Attribute { public CallPriorityAttribute(int priority) { } }
    public class ConstructableAttribute : Attribute { }

    public static class Core
    {
        public static Slice Slice;
        public static string BaseDirectory { get { throw null; } }
        public static List<string> DataDirectories { get { throw null; } }
        public static Version Version { get { throw null; } }
        public static Expansion Expansion { get; set; }
        public static void Set() { }
    }

    public static class Config
    {
        public static int Get(string key, int otherwise) { throw null; }
        public static bool Get(string key, bool otherwise) { throw null; }
    }

    public static class ScriptCompiler
    {
        public static Type FindTypeByName(string name, bool ignoreCase) { throw null; }
    }

    public class Timer
    {
        public void Stop() { }
        public static Timer DelayCall(TimeSpan delay, TimerCallback callback) { throw null; }
        public static Timer DelayCall(TimeSpan delay, TimeSpan interval, TimerCallback callback) { throw null; }
    }

    public struct Serial
    {
        public int Value { get { throw null; } }
        public static implicit operator int(Serial serial) { throw null; }
        public static implicit operator Serial(int value) { throw null; }
    }

    public struct Point3D
    {
        public int X { get { throw null; } }
        public int Y { get { throw null; } }
        public int Z { get { throw null; } }
        public static bool operator ==(Point3D a, Point3D b) { throw null; }
        public static bool operator !=(Point3D a, Point3D b) { throw null; }
        public override bool Equals(object other) { throw null; }
        public override int GetHashCode() { throw null; }
    }

    public interface IEntity
    {
        Serial Serial { get; }
        Point3D Location { get; set; }
        Map Map { get; set; }
    }

    public class Map
    {
        public static Map Internal { get { throw null; } }
        public static List<Map> AllMaps { get { throw null; } }
        public string Name { get; set; }
        public MapRules Rules { get; set; }
        public Sector GetSector(Point3D at) { throw null; }
    }

    public class Sector { public List<RegionRect> RegionRects { get { throw null; } } }

    public class RegionRect
    {
        public Region Region { get { throw null; } }
        public bool Contains(Point3D at) { throw null; }
    }

    public class Region
    {
        public string Name { get { throw null; } }
        public Region Parent { get { throw null; } }
        public bool IsPartOf(Type type) { throw null; }
    }

    public class Race { public string Name { get; set; } }

    public class VirtueInfo { public int GetValue(int index) { throw null; } }

    public class Skill
    {
        public SkillName SkillName { get { throw null; } }
        public SkillLock Lock { get { throw null; } }
        public int BaseFixedPoint { get; set; }
        public int CapFixedPoint { get; set; }
    }

    public class Skills
    {
        public int Length { get { throw null; } }
        public Skill this[int index] { get { throw null; } }
    }

    public class DamageEntry
    {
        public Mobile Damager { get { throw null; } }
        public int DamageGiven { get; set; }
    }

    public class Mobile : IEntity
    {
        public Serial Serial { get { throw null; } }
        public Point3D Location { get; set; }
        public Map Map { get; set; }
        public int X { get; set; }
        public int Y { get; set; }
        public int Z { get; set; }
        public Point3D LogoutLocation { get; set; }
        public Map LogoutMap { get; set; }
        public Region Region { get { throw null; } }
        public string Name { get; set; }
        public string Title { get; set; }
        public bool Deleted { get { throw null; } }
        public bool Alive { get { throw null; } }
        public bool Female { get; set; }
        public bool IsBodyMod { get { throw null; } }
        public int BodyValue { get; set; }
        public Race Race { get; set; }
        public AccessLevel AccessLevel { get; set; }
        public IAccount Account { get; set; }
        public NetState NetState { get; set; }
        public BaseGuild Guild { get; set; }
        public VirtueInfo Virtues { get; set; }
        public Skills Skills { get; set; }
        public List<DamageEntry> DamageEntries { get { throw null; } }
        public List<Item> Items { get { throw null; } }
        public Container Backpack { get { throw null; } }
        public int RawStr { get; set; }
        public int RawDex { get; set; }
        public int RawInt { get; set; }
        public int Str { get; set; }
        public int Dex { get; set; }
        public int Int { get; set; }
        public int Hits { get; set; }
        public int HitsMax { get { throw null; } }
        public int Stam { get; set; }
        public int StamMax { get { throw null; } }
        public int Mana { get; set; }
        public int ManaMax { get { throw null; } }
        public int StatCap { get; set; }
        public int Luck { get { throw null; } }
        public int Fame { get; set; }
        public int Karma { get; set; }
        public int Kills { get; set; }
        public int PhysicalResistance { get { throw null; } }
        public int FireResistance { get { throw null; } }
        public int ColdResistance { get { throw null; } }
        public int PoisonResistance { get { throw null; } }
        public int EnergyResistance { get { throw null; } }
        public void Delete() { }
        public bool SendGump(Server.Gumps.Gump gump) { throw null; }
        public void SendMessage(string text) { }
        public void SendMessage(string format, params object[] args) { }
        public void SendMessage(int hue, string text) { }
        public void SendMessage(int hue, string format, params object[] args) { }
    }

    public class Item : IEntity
    {
        public Serial Serial { get { throw null; } }
        public Point3D Location { get; set; }
        public Map Map { get; set; }
        public int X { get; set; }
        public int Y { get; set; }
        public int Z { get; set; }
        public string Name { get; set; }
        public bool Deleted { get { throw null; } }
        public int ItemID { get; set; }
        public int Hue { get; set; }
        public int Amount { get; set; }
        public Layer Layer { get; set; }
        public int LabelNumber { get { throw null; } }
        public bool IsArtifact { get { throw null; } }
        public object Parent { get; set; }
        public object RootParent { get { throw null; } }
        public List<Item> Items { get { throw null; } }
        public virtual void AddNameProperty(ObjectPropertyList list) { }
    }

    public class ObjectPropertyList
    {
        public ObjectPropertyList(IEntity entity) { }
        public int Header { get; set; }
        public string HeaderArgs { get; set; }
    }

    public class TextDefinition
    {
        public int Number { get { throw null; } }
        public string String { get { throw null; } }
    }

    public static class World
    {
        public static Dictionary<Serial, Mobile> Mobiles { get { throw null; } }
        public static Dictionary<Serial, Item> Items { get { throw null; } }
        public static Mobile FindMobile(Serial serial) { throw null; }
        public static Item FindItem(Serial serial) { throw null; }
        public static void Broadcast(int hue, bool ascii, string text) { }
    }

    public static class Siege { public static bool SiegeShard; }
}

namespace Server.Commands
{
    public delegate void CommandEventHandler(CommandEventArgs e);

    public class CommandEventArgs : EventArgs
    {
        public Mobile Mobile { get { throw null; } }
        public string Command { get { throw null; } }
        public string ArgString { get { throw null; } }
        public string[] Arguments { get { throw null; } }
        public string GetString(int index) { throw null; }
    }

    public class CommandEntry
    {
        public AccessLevel AccessLevel { get { throw null; } }
        public CommandEventHandler Handler { get { throw null; } }
    }

    public static class CommandSystem
    {
        public static Dictionary<string, CommandEntry> Entries { get { throw null; } }
        public static void Register(string command, AccessLevel access, CommandEventHandler handler) { }
    }
}

namespace Server.Guilds
{
    public enum GuildType { Regular }

    public abstract class BaseGuild
    {
        public static Dictionary<int, BaseGuild> List { get { throw null; } }
        public int Id { get { throw null; } }
        public abstract string Name { get; set; }
        public abstract string Abbreviation { get; set; }
        public abstract GuildType Type { get; set; }
        public abstract bool Disbanded { get; }
    }
}

namespace Server.Gumps
{
    public class Gump { }
}

namespace Server.Items
{
    public class Container : Item { }
}
