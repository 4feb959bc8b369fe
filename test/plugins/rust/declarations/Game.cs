// The names and signatures of the game that the plugin uses, with the least behavior that the tests need.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using Network;
using UnityEngine;

namespace Network
{
    public class Connection
    {
        public uint authLevel;
        public DateTime Since = DateTime.UtcNow;

        public float GetSecondsConnected()
        {
            return (float)(DateTime.UtcNow - Since).TotalSeconds;
        }
    }

    public class Networkable
    {
        public NetworkableId ID;
    }
}

public struct NetworkableId
{
    public ulong Value;
}

namespace Rust
{
    public static class Protocol
    {
        public static int network { get { return 2600; } }
        public static int save { get { return 287; } }
        public static string printable { get { return "2600.287.1"; } }
    }
}

namespace ConVar
{
    public static class Server
    {
        public static string hostname = "Emberfall", level = "Procedural Map", levelurl = "";
        public static int maxplayers = 100;
    }

    public static class Chat
    {
        public enum ChatChannel { Global, Team, Server, Cards, Local, Clan }
    }
}

public static class World
{
    public static uint Seed = 1337, Size = 4250;
}

public static class SaveRestore
{
    public static DateTime SaveCreatedTime = DateTime.UtcNow;
}

public class ConnectionQueue
{
    public int Queued { get { return 0; } }
    public int Joining { get { return 0; } }
}

public class ServerMgr
{
    private static readonly ServerMgr m_Instance = new ServerMgr();

    public static ServerMgr Instance { get { return m_Instance; } }
    public ConnectionQueue connectionQueue = new ConnectionQueue();
}

public class Performance
{
    public struct Tick
    {
        public int frameRate;
    }

    public static Tick current = new Tick { frameRate = 59 };
}

public class TOD_CycleParameters
{
    public float Hour = 13.5f;
}

public class TOD_Sky
{
    private static readonly TOD_Sky m_Instance = new TOD_Sky();

    public static TOD_Sky Instance { get { return m_Instance; } }
    public TOD_CycleParameters Cycle = new TOD_CycleParameters();
}

public class BaseNetworkable : MonoBehaviour
{
    public class EntityRealm : IEnumerable<BaseNetworkable>
    {
        public readonly List<BaseNetworkable> Entities = new List<BaseNetworkable>();

        public int Count { get { return Entities.Count; } }

        public IEnumerator<BaseNetworkable> GetEnumerator()
        {
            return Entities.GetEnumerator();
        }

        IEnumerator IEnumerable.GetEnumerator()
        {
            return GetEnumerator();
        }
    }

    public static EntityRealm serverEntities = new EntityRealm();

    public Networkable net;
    public bool IsDestroyed { get; set; }
    public string ShortPrefabName { get; set; }
}

public class BaseEntity : BaseNetworkable
{
    public ulong OwnerID { get; set; }
}

public class BaseCombatEntity : BaseEntity
{
    public float HealthNow = 100;

    public float Health()
    {
        return HealthNow;
    }

    public float MaxHealth()
    {
        return 100;
    }

    public bool IsDead()
    {
        return HealthNow <= 0;
    }
}

public class BuildingPrivlidge : BaseCombatEntity
{
    public float GetProtectedMinutes(bool force = false)
    {
        return 1440;
    }
}

public class BuildingBlock : BaseCombatEntity { }

public static class GameObjectEx
{
    public static BaseEntity ToBaseEntity(this GameObject from)
    {
        return from.Entity;
    }
}

public class ListHashSet<T> : List<T> { }

public class BasePlayer : BaseCombatEntity
{
    public static ListHashSet<BasePlayer> activePlayerList = new ListHashSet<BasePlayer>();
    public static ListHashSet<BasePlayer> sleepingPlayerList = new ListHashSet<BasePlayer>();

    public string UserIDString, displayName;
    public bool IsAdmin, Sleeps;
    public Connection Connection;

    public bool IsConnected { get { return Connection != null; } }

    public bool IsSleeping()
    {
        return Sleeps;
    }

    public static BasePlayer FindAwakeOrSleeping(string id)
    {
        return activePlayerList.Find(player => player.UserIDString == id) ?? sleepingPlayerList.Find(player => player.UserIDString == id);
    }

    public void ChatMessage(string text)
    {
        Console.WriteLine("told " + UserIDString + ": " + text);
    }

    public void SendConsoleCommand(string command, params object[] args)
    {
        Console.WriteLine("sent " + UserIDString + ": " + command + " " + String.Join(" | ", args));
    }

    public void Kick(string reason, bool reserveSlot = false)
    {
        Console.WriteLine("kicked " + UserIDString + ": " + reason);
        Left(this, "Kicked: " + reason);
    }

    /// <summary>Called when a connection ends. The simulated game sets it.</summary>
    public static Action<BasePlayer, string> Left = delegate { };
}

public enum ItemCategory { Weapon, Construction, Items, Resources, Attire, Tool }

public class ItemDefinition
{
    public string shortname;
    public ItemCategory category;
}

public class Item
{
    public ItemDefinition info;
    public int amount;
}

public class HeldEntity : BaseEntity
{
    public Item Held;
    public BasePlayer Owner;

    public Item GetItem()
    {
        return Held;
    }

    public BasePlayer GetOwnerPlayer()
    {
        return Owner;
    }
}

public class AttackEntity : HeldEntity { }
public class ThrownWeapon : AttackEntity { }
public class MedicalTool : AttackEntity { }
public class Planner : HeldEntity { }
public class CollectibleEntity : BaseEntity { }
public class GrowableEntity : BaseCombatEntity { }
public class ItemCraftTask { }

public class ItemCrafter
{
    public BasePlayer owner;
}

public class ResourceDispenser
{
    public enum GatherType { Tree, Ore, Flesh }

    public GatherType gatherType;
}

public class HitInfo
{
    public BaseEntity Initiator;
    public AttackEntity Weapon;
    public BaseEntity WeaponPrefab;
    public bool isHeadshot;

    public BasePlayer InitiatorPlayer { get { return Initiator as BasePlayer; } }
}

public class Phrase
{
    public string english;
}

public class MonumentInfo : MonoBehaviour
{
    public Phrase displayPhrase;
    public bool shouldDisplayOnMap;
}

public class TerrainPath
{
    public List<MonumentInfo> Monuments = new List<MonumentInfo>();
}

public static class TerrainMeta
{
    public static TerrainPath Path = new TerrainPath();
}

public static class MapImageRenderer
{
    public static int Renders;

    /// <summary>A picture of one pixel, with a comment that makes each rendering different.</summary>
    public static byte[] Render(out int width, out int height, out Color background, float scale = 0.5f, bool lossy = true)
    {
        width = height = (int)(World.Size * scale) + 1000;
        background = new Color { r = 0.07f, g = 0.25f, b = 0.3f };
        Console.WriteLine("rendered " + (++Renders).ToString(CultureInfo.InvariantCulture));
        return Convert.FromBase64String("/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=");
    }
}

public static class ServerUsers
{
    public enum UserGroup { None, Owner, Moderator, Banned, SkipQueue }

    public class User
    {
        public ulong steamid;
        public UserGroup group;
        public string username, notes;
        public long expiry;
    }

    private static readonly Dictionary<ulong, User> m_Users = new Dictionary<ulong, User>();

    public static void Set(ulong id, UserGroup group, string username, string notes, long expiry = -1L)
    {
        m_Users[id] = new User { steamid = id, group = group, username = username, notes = notes, expiry = expiry };
    }

    public static void Remove(ulong id)
    {
        m_Users.Remove(id);
    }

    public static IEnumerable<User> GetAll(UserGroup group)
    {
        foreach (User user in m_Users.Values)
        {
            if (user.group == group)
                yield return user;
        }
    }

    public static void Save() { }
}

public class ConsoleSystem
{
    public struct Option
    {
        public static Option Server { get { return new Option(); } }
    }

    public class Arg
    {
        public string[] Args;
        public Connection Connection;

        public void ReplyWith(string text)
        {
            Console.WriteLine("reply: " + text);
        }
    }

    /// <summary>Called with each server command of the plugin. The simulated game sets it.</summary>
    public static Action<string> Typed = delegate { };

    public static string Run(Option option, string command, params object[] args)
    {
        Typed(command);
        return null;
    }
}
